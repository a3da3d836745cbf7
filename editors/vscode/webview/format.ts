/** Numbers as people read them: as many digits as their uncertainty supports. */

const NONE = '–';

/** A number with about `digits` significant digits and no needless zeros. */
export function number(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NONE;
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e7 || size < 1e-4) return value.toExponential(Math.max(0, digits - 2)).replace('e+', 'e');
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
  const text = value.toFixed(Math.min(decimals, 8));
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** `mean ± ci`, both cut where the second digit of the half-width stands. */
export function withInterval(mean: number | null, ci: number | null): string {
  if (mean === null) return NONE;
  if (ci === null) return number(mean, 3);
  if (ci === 0) return `${number(mean)} ± 0`;
  const decimals = Math.min(9, Math.max(0, 1 - Math.floor(Math.log10(ci))));
  return `${mean.toFixed(decimals)} ± ${ci.toFixed(decimals)}`;
}

export function percent(fraction: number | null | undefined): string {
  return fraction === null || fraction === undefined ? NONE : `${(fraction * 100).toFixed(fraction < 0.0995 ? 1 : 0)} %`;
}

export function count(value: number): string {
  return value.toLocaleString('en', { useGrouping: value >= 10000 }).replaceAll(',', '\u2009');
}

/** A duration in the simulated clock, which is seconds only by convention. */
export function time(value: number | null | undefined): string {
  return value === null || value === undefined ? NONE : `${number(value)} s`;
}

export function signed(value: number | null, digits = 3): string {
  if (value === null) return NONE;
  return value > 0 ? `+${number(value, digits)}` : number(value, digits).replace('-', '−');
}

/** Round values for the marks of an axis, at most `most` of them. */
export function ticks(from: number, to: number, most: number): number[] {
  if (!(to > from) || most < 1) return [from];
  const raw = (to - from) / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map(factor => factor * power).find(size => size >= raw) ?? raw;
  const marks: number[] = [];
  for (let index = Math.ceil(from / step); index * step <= to; index++) marks.push(Number((index * step).toPrecision(12)));
  return marks;
}
