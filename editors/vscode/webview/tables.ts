/** The tables of a snapshot: observations, gauges, claims, pools and stages. */
import type { Baseline, Claim, Delta, Gauge, Observation, Pool, Range, Results, Stage } from '../src/protocol';
import { histogram, sparkline } from './charts';
import { h } from './dom';
import { member } from './exports';
import { count, number, percent, signed, time, withInterval } from './format';

type Reveal = (range: Range) => void;
type Cell = Node | string;

export function observations(results: Results, reveal: Reveal): HTMLElement {
  return table(['observe', 'mean', 'p50', 'p99', 'count', 'over time', 'distribution', ...changed(results)],
    results.observations.map(o => line(o, reveal, [
      h('span', { class: `verdict ${o.verdict}`, title: o.verdict }, withInterval(o.mean, o.ci) + unit(o)),
      number(o.p50), number(o.p99), count(o.count),
      sparkline(o.series, series(results.baseline, o.id)), histogram(o.histogram), ...change(results, o.delta),
    ])));
}

export function gauges(results: Results, reveal: Reveal): HTMLElement {
  return table(['gauge', 'mean', 'min', 'max', 'over time', ...changed(results)],
    results.gauges.map((g: Gauge) => line(g, reveal, [
      withInterval(g.mean, g.ci), number(g.min), number(g.max), sparkline(g.series, series(results.baseline, g.id)), ...change(results, g.delta),
    ])));
}

export function claims(results: Results, reveal: Reveal): HTMLElement {
  const good = new Set<Claim['result']>(['holds', 'witnessed']);
  const bad = new Set<Claim['result']>(['fails', 'not_witnessed']);
  return table(['claim', 'result', 'checked', 'failures', 'first', ''], results.claims.map(c => line(c, reveal, [
    h('span', { class: good.has(c.result) ? 'good' : bad.has(c.result) ? 'bad' : 'dim' }, c.result.replaceAll('_', ' ')),
    count(c.checked), count(c.failures), time(c.first), c.note ?? '',
  ])));
}

export function pools(results: Results, reveal: Reveal): HTMLElement {
  return table(['pool', 'cap', 'used', 'cached', 'queue', 'wait', 'admitted', 'evicted', 'preempted', 'rejected', 'stuck', ...changed(results)],
    results.pools.map((p: Pool) => line({ ...p, name: member(p) }, reveal, [
      p.cap === null ? '∞' : number(p.cap), share(p.used, p.cap), share(p.cached, p.cap), number(p.queue, 3), time(p.wait),
      count(p.admissions), count(p.evictions), count(p.preemptions), trouble(p.rejected), trouble(p.stuck), ...change(results, p.delta),
    ])));
}

export function stages(results: Results, reveal: Reveal): HTMLElement {
  return table(['stage', 'kind', 'busy', 'sessions', 'throughput', 'wait', 'service', 'iterations', 'batch', ...changed(results)],
    results.stages.map((t: Stage) => line({ ...t, name: member(t) }, reveal, [
      t.kind, h('span', t.idleWithWork ? { class: 'bad', title: 'idle with work waiting' } : {}, percent(t.utilization)), number(t.number, 3),
      t.throughput === null ? '–' : `${number(t.throughput)} /s`, time(t.wait), time(t.service),
      t.iterationsPerSecond === null ? '' : `${number(t.iterationsPerSecond)} /s`, t.batch === null ? '' : number(t.batch, 3), ...change(results, t.delta),
    ])));
}

/** A table whose empty form says so. */
export function table(heads: string[], rows: HTMLTableRowElement[]): HTMLElement {
  if (rows.length === 0) return h('p', { class: 'dim' }, 'none');
  return h('div', { class: 'scroll' }, h('table', {},
    h('thead', {}, h('tr', {}, ...heads.map(head => h('th', { scope: 'col' }, head)))),
    h('tbody', {}, ...rows)));
}

function line(entry: { id: string; name: string; range: Range | null }, reveal: Reveal, cells: Cell[]): HTMLTableRowElement {
  const range = entry.range;
  const name = range === null ? h('span', {}, entry.name) : h('button', { class: 'link', title: 'Go to the statement', click: () => reveal(range) }, entry.name);
  return h('tr', { 'data-id': entry.id, 'data-line': range?.start.line ?? null }, h('th', { scope: 'row' }, name), ...cells.map(cell => h('td', {}, cell)));
}

function unit(o: Observation): string {
  return o.unit === null || o.mean === null ? '' : ` ${o.unit}`;
}

function share(amount: number | null, cap: number | null): string {
  return cap === null || amount === null || cap === 0 ? number(amount) : `${number(amount, 3)} (${percent(amount / cap)})`;
}

function trouble(value: number): Cell {
  return value === 0 ? '0' : h('span', { class: 'bad' }, count(value));
}

function changed(results: Results): string[] {
  return results.baseline === null ? [] : ['change'];
}

function change(results: Results, delta: Delta | null): Cell[] {
  if (results.baseline === null) return [];
  return [difference(delta)];
}

/** A paired difference; what its interval does not separate from nothing stays dim. */
export function difference(delta: Delta | null): HTMLElement {
  if (delta?.mean == null) return h('span', { class: 'dim' }, '–');
  const relative = delta.relative === null ? '' : ` (${signed(delta.relative * 100, 2)} %)`;
  const interval = delta.ci === null ? '' : ` ± ${number(delta.ci, 2)}`;
  return h('span', { class: delta.significant ? 'change' : 'dim', title: delta.significant ? 'outside the interval' : 'within the interval' },
    `${signed(delta.mean)}${interval}${relative}`);
}

function series(baseline: Baseline | null, id: string): Observation['series'] {
  return baseline?.values[id]?.series ?? null;
}
