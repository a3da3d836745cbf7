/** What can be saved: tables as CSV, drawings as SVG that look right outside the editor. */
import type { Results, Series } from '../src/protocol';

type Cell = string | number | boolean | null | undefined;

export function csv(rows: Cell[][]): string {
  const cell = (value: Cell): string => {
    const text = value === null || value === undefined ? '' : String(value);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map(row => row.map(cell).join(',') + '\n').join('');
}

/** One row for each number of the report, with the stamp that reproduces it. */
export function summaryCsv(results: Results): string {
  const rows: Cell[][] = [['kind', 'name', 'quantity', 'value', 'ci']];
  const add = (kind: string, name: string, values: Record<string, number | null>, ci: number | null = null): void => {
    let first = true;
    for (const [quantity, value] of Object.entries(values)) {
      rows.push([kind, name, quantity, value, first ? ci : null]);
      first = false;
    }
  };
  for (const o of results.observations) {
    add('observe', o.name, { mean: o.mean, count: o.count, min: o.min, max: o.max, p50: o.p50, p90: o.p90, p99: o.p99, cv2: o.cv2 }, o.ci);
  }
  for (const g of results.gauges) add('gauge', g.name, { mean: g.mean, min: g.min, max: g.max }, g.ci);
  for (const t of results.stages) {
    add('stage', member(t), { number: t.number, utilization: t.utilization, throughput: t.throughput, wait: t.wait, service: t.service, completed: t.completed });
  }
  for (const p of results.pools) {
    add('pool', member(p), {
      used: p.used, cached: p.cached, queue: p.queue, holders: p.holders, wait: p.wait,
      admissions: p.admissions, evictions: p.evictions, preemptions: p.preemptions, rejected: p.rejected, stuck: p.stuck,
    });
  }
  for (const c of results.claims) rows.push(['claim', c.name, 'result', c.result, null]);
  const { stamp } = results;
  rows.push(['run', '', 'seed', stamp.seed, null], ['run', '', 'horizon', stamp.horizon, null], ['run', '', 'version', stamp.version, null], ['run', '', 'program', stamp.program, null]);
  return csv(rows);
}

export function seriesCsv(series: Record<string, Series>): string {
  const rows: Cell[][] = [['series', 'time', 'value']];
  for (const [name, { t, v }] of Object.entries(series)) t.forEach((at, i) => rows.push([name, at, v[i]]));
  return csv(rows);
}

export function timelineCsv(results: Results): string {
  const rows: Cell[][] = [['session', 'lane', 'state', 'on', 'amount', 'from', 'to']];
  for (const session of results.timeline?.sessions ?? []) {
    for (const bar of session.segments) rows.push([session.serial, bar.lane, bar.state, bar.on, bar.amount, bar.from, bar.to]);
  }
  return csv(rows);
}

export function member({ name, index }: { name: string; index: number | null }): string {
  return index === null ? name : `${name}[${index}]`;
}

const CARRIED = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-opacity', 'fill-opacity', 'opacity', 'font-family', 'font-size', 'font-weight', 'text-anchor', 'dominant-baseline', 'paint-order'];

/** A drawing with the styles that the page gives it written into it. */
export function standalone(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = [drawing, ...drawing.querySelectorAll('*')];
  [copy, ...copy.querySelectorAll('*')].forEach((element, i) => {
    const original = originals[i];
    if (original === undefined) return;
    const style = getComputedStyle(original);
    for (const property of CARRIED) {
      const value = style.getPropertyValue(property);
      if (value !== '') element.setAttribute(property, value);
    }
    for (const name of ['class', 'tabindex', 'role', 'aria-label']) element.removeAttribute(name);
  });
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(drawing.clientWidth || drawing.viewBox.baseVal.width));
  copy.setAttribute('height', String(drawing.clientHeight || drawing.viewBox.baseVal.height));
  const background = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  background.setAttribute('width', '100%');
  background.setAttribute('height', '100%');
  background.setAttribute('fill', getComputedStyle(document.body).backgroundColor);
  copy.prepend(background);
  return new XMLSerializer().serializeToString(copy) + '\n';
}
