/** Series over time, brought onto one axis. */
import type { Series } from '../src/protocol';

/** Several series on one axis of instants; a step series holds its value at the others' instants. */
export function join(list: Series[]): [number[], ...(number | null)[][]] {
  const instants = [...new Set(list.flatMap(({ t }) => t))].sort((a, b) => a - b);
  const columns = list.map(({ t, v, step }) => {
    const at = new Map(t.map((instant, i) => [instant, v[i] ?? null]));
    let held: number | null = null;
    return instants.map(instant => {
      const value = at.get(instant);
      if (value === undefined) return step ? held : null;
      held = value;
      return value;
    });
  });
  return [instants, ...columns];
}
