/** The results panel: receives snapshots, keeps its sections current, sends back what the person does. */
import 'uplot/dist/uPlot.min.css';
import './style.css';
import type { FromPanel, ToPanel, View } from '../src/panel/messages';
import type { Pool, Range, Results, Stage, StatusParams } from '../src/protocol';
import { answer } from './answers';
import { TimeChart, type Line } from './charts';
import { h } from './dom';
import { member, seriesCsv, standalone, summaryCsv, timelineCsv } from './exports';
import { count, number } from './format';
import { waitForGraph } from './graphs';
import * as tables from './tables';
import { TimelineView } from './timeline';

declare function acquireVsCodeApi(): { postMessage: (message: FromPanel) => void; setState: (state: unknown) => void };

/** Charts of one kind beyond this number are left out until they are asked for. */
const MOST_CHARTS = 8;

const vscode = acquireVsCodeApi();
const root = document.getElementById('root') ?? document.body;
const charts = new Map<string, TimeChart>();
const header = h('header');
const banner = h('div', { class: 'banner', role: 'status' });
const sections = new Map<string, { section: HTMLDetailsElement; body: HTMLElement; head: HTMLElement }>();
const timeline = new TimelineView({
  reveal, ask: span => vscode.postMessage({ type: 'timeline', ...span }), save: () => { if (results !== null) save('timeline.csv', timelineCsv(results)); },
});
let results: Results | null = null;
let title = '';
let status: StatusParams | null = null;
let line: number | null = null;
let allCharts = false;

function reveal(range: Range): void {
  vscode.postMessage({ type: 'reveal', range, preview: false });
}

function save(name: string, text: string): void {
  const program = title.split('/').at(-1)?.replace(/\.sq$/, '') ?? 'serq';
  vscode.postMessage({ type: 'save', name: `${program}-${name}`, text });
}

/** The body of a section, made once, shown only while there is something in it. */
function section(id: string, name: string, shown: boolean, detail = ''): HTMLElement {
  const known = sections.get(id);
  if (known !== undefined) {
    known.section.hidden = !shown;
    known.head.replaceChildren(name, h('span', { class: 'dim' }, detail));
    return known.body;
  }
  const body = h('div', { class: 'body' });
  const head = h('summary', {}, name, h('span', { class: 'dim' }, detail));
  const element = h('details', { id, open: true }, head, body);
  element.hidden = !shown;
  sections.set(id, { section: element, body, head });
  root.append(element);
  return body;
}

function drawHeader(): void {
  const button = (label: string, command: Extract<FromPanel, { type: 'command' }>['command'], hint: string): HTMLElement =>
    h('button', { title: hint, click: () => vscode.postMessage({ type: 'command', command }) }, label);
  const running = status?.state === 'running' || results?.state === 'running';
  const r = results;
  header.replaceChildren(
    h('div', { class: 'row' },
      h('h1', {}, title || 'serQ'),
      h('span', { class: `pill ${running ? 'running' : r?.stale === true ? 'stale' : r?.state ?? 'idle'}` }, running ? progress() : r?.stale === true ? 'stale' : r?.state ?? 'not run'),
      r === null ? null : h('span', { class: `verdict ${r.verdict.state}` }, r.verdict.message),
      h('span', { class: 'space' }),
      running ? button('Stop', 'stop', 'Stop the simulation') : button('Run', 'run', 'Run the simulation'),
      r === null ? null : r.baseline?.pinned === true ? button('Unpin', 'unpin', 'Forget the pinned baseline') : button('Pin', 'pin', 'Keep these results as the baseline'),
      r?.baseline == null ? null : button('Compare', 'compare', 'Compare with the baseline'),
      r === null ? null : button('Slowest', 'explain', 'Explain the slowest request'),
      r === null ? null : h('button', { title: 'Save all numbers', click: () => save('results.csv', summaryCsv(r)) }, 'CSV'),
      r === null ? null : h('button', { title: 'Save the timeline and graphs', click: () => saveDrawings() }, 'SVG')),
    r === null ? '' : h('div', { class: 'stamp dim' },
      `seed ${r.stamp.seed} · horizon ${number(r.stamp.horizon)}${r.insteadOf == null ? '' : ` of ${number(r.insteadOf.horizon)}`} · ${count(r.run.events)} events, ${count(r.run.ended)} of ${count(r.run.arrivals)} sessions ended · ` +
      `${number(r.run.wallSeconds, 2)} s of computing · serq-lsp ${r.stamp.version} · program ${r.stamp.program.slice(0, 12)}` +
      (r.baseline === null ? '' : ` · baseline: ${r.baseline.label}`)));
}

function progress(): string {
  return status?.progress == null ? 'running' : `running ${Math.round(status.progress * 100)} %`;
}

function saveDrawings(): void {
  const drawings: [string, SVGSVGElement | null][] = [
    ['wait-for.svg', document.querySelector<SVGSVGElement>('#waitfor svg.graph')],
    ['answer.svg', document.querySelector<SVGSVGElement>('#answer svg')],
    ['timeline.svg', timeline.svg],
  ];
  for (const [name, drawing] of drawings) if (drawing !== null && drawing.clientWidth > 0) save(name, standalone(drawing));
}

function draw(): void {
  drawHeader();
  const r = results;
  document.body.classList.toggle('is-stale', r?.stale === true);
  banner.hidden = r !== null && r.error === null && r.notes.length === 0;
  banner.replaceChildren(...(r === null
    ? [h('p', {}, 'Nothing has run yet. Results appear here, and beside the statements, after a run.')]
    : [...(r.error === null ? [] : [note(r.error.message, 'error', r.error.range)]), ...r.notes.map(each => note(each.message, each.severity, each.range))]));
  if (r === null) {
    for (const { section: element } of sections.values()) element.hidden = true;
    return;
  }
  drawWaitFor(r);
  section('observations', 'Observations', true).replaceChildren(tables.observations(r, reveal));
  section('claims', 'Claims', r.claims.length > 0).replaceChildren(tables.claims(r, reveal));
  drawPools(r);
  drawStages(r);
  drawGauges(r);
  const body = section('sessions', 'Sessions', r.timeline !== null && r.timeline.sessions.length > 0);
  if (timeline.element.parentElement !== body) body.append(timeline.element);
  if (r.timeline !== null) timeline.show(r.timeline, new Set(r.stages.filter(({ kind }) => kind === 'delay').map(member)));
  highlight(line);
  vscode.postMessage({ type: 'rendered', generation: r.generation, charts: charts.size });
}

function note(message: string, severity: string, range: Range | null): HTMLElement {
  return h('p', { class: severity }, range === null ? message : h('button', { class: 'link', click: () => reveal(range) }, message));
}

function drawWaitFor(r: Results): void {
  const body = section('waitfor', 'Deadlock: who waits for whom', r.waitFor !== null, r.waitFor === null ? '' : `at ${number(r.waitFor.at)} s`);
  if (r.waitFor !== null) body.replaceChildren(h('p', { class: 'error' }, r.waitFor.message), h('div', { class: 'scroll' }, waitForGraph(r.waitFor, reveal)));
}

function drawPools(r: Results): void {
  const body = section('pools', 'Pools', r.pools.length > 0);
  const plotted = r.pools.filter(pool => pool.series !== null);
  body.replaceChildren(tables.pools(r, reveal), ...plots('pool', plotted, pool => `${member(pool)}: units`, poolLines),
    seriesButton(r, 'pools', plotted.flatMap(pool => poolLines(pool, r).map(each => [`${member(pool)} ${each.label}`, each.series] as const))));
}

function poolLines(pool: Pool, r: Results): Line[] {
  if (pool.series === null) return [];
  const { used, cached, queue } = pool.series;
  const ends = [used.t[0] ?? 0, used.t.at(-1) ?? r.run.end];
  const before = r.baseline?.values[pool.id]?.series ?? null;
  return [
    { label: 'used', series: used, color: 0 },
    ...(cached.v.some(value => value !== null && value > 0) ? [{ label: 'cached', series: cached, color: 1 }] : []),
    ...(queue.v.some(value => value !== null && value > 0) ? [{ label: 'queue', series: queue, color: 2 }] : []),
    ...(before === null ? [] : [{ label: 'used before', series: before, color: 0, dashed: true }]),
    ...(pool.cap === null ? [] : [{ label: 'cap', series: { t: ends, v: [pool.cap, pool.cap], step: false }, color: 4, dashed: true }]),
  ];
}

function drawStages(r: Results): void {
  const body = section('stages', 'Stages', r.stages.length > 0);
  const plotted = r.stages.filter(stage => stage.series !== null);
  body.replaceChildren(tables.stages(r, reveal), ...plots('stage', plotted, stage => `${member(stage)}: sessions`, stageLines),
    seriesButton(r, 'stages', plotted.flatMap(stage => stageLines(stage, r).map(each => [`${member(stage)} ${each.label}`, each.series] as const))));
}

function stageLines(stage: Stage, r: Results): Line[] {
  if (stage.series === null) return [];
  const before = r.baseline?.values[stage.id]?.series ?? null;
  return [
    { label: 'sessions', series: stage.series.number, color: 3 },
    ...(before === null ? [] : [{ label: 'before', series: before, color: 3, dashed: true }]),
  ];
}

function drawGauges(r: Results): void {
  const body = section('gauges', 'Gauges', r.gauges.length > 0);
  const plotted = r.gauges.filter(gauge => gauge.series !== null);
  body.replaceChildren(tables.gauges(r, reveal),
    ...plots('gauge', plotted, gauge => gauge.name, gauge => (gauge.series === null ? [] : [{ label: gauge.name, series: gauge.series, color: 5 }])));
}

/** Charts for a list of things, the first few unless all were asked for. */
function plots<T extends { id: string }>(kind: string, list: T[], name: (entry: T) => string, lines: (entry: T, r: Results) => Line[]): Node[] {
  const shown = allCharts ? list : list.slice(0, MOST_CHARTS);
  const grid = h('div', { class: 'charts' });
  const wanted = new Set(shown.map(({ id }) => `${kind}:${id}`));
  for (const [key, chart] of charts) {
    if (!key.startsWith(`${kind}:`) || wanted.has(key)) continue;
    chart.dispose();
    charts.delete(key);
  }
  for (const entry of shown) {
    const key = `${kind}:${entry.id}`;
    let chart = charts.get(key);
    if (chart === undefined) charts.set(key, chart = new TimeChart(name(entry)));
    chart.element.setAttribute('data-id', entry.id);
    grid.append(chart.element);
    const fresh = chart;
    requestAnimationFrame(() => { if (results !== null) fresh.draw(lines(entry, results)); });
  }
  const rest = list.length - shown.length;
  return rest === 0 ? [grid] : [grid, h('button', { click: () => { allCharts = true; draw(); } }, `Show ${rest} more charts`)];
}

function seriesButton(r: Results, name: string, series: (readonly [string, { t: number[]; v: (number | null)[]; step: boolean }])[]): Node | string {
  return series.length === 0 ? '' : h('button', { title: `Save the ${name} over time (${r.stamp.program})`, click: () => save(`${name}.csv`, seriesCsv(Object.fromEntries(series))) }, 'Series as CSV');
}

/** Marks whatever belongs to a line of the program. */
function highlight(at: number | null): void {
  line = at;
  timeline.highlight(at);
  for (const row of root.querySelectorAll('tr[data-line]')) row.classList.toggle('lit', at !== null && row.getAttribute('data-line') === String(at));
}

function focus(id: string): void {
  const target = root.querySelector(`[data-id="${CSS.escape(id)}"]`);
  target?.closest('details')?.setAttribute('open', '');
  target?.scrollIntoView({ block: 'center' });
  target?.classList.add('flash');
  setTimeout(() => target?.classList.remove('flash'), 1500);
}

function showResults(next: Results | null, name: string): void {
  if (name !== title) forgetProgram();
  // The sessions come after the numbers: those of the run before stay meanwhile, paler.
  const earlier = next !== null && next.timeline === null && next.state !== 'failed' && name === title ? results?.timeline ?? null : null;
  if (next !== null && earlier !== null) next.timeline = earlier;
  timeline.element.classList.toggle('earlier', earlier !== null);
  results = next;
  title = name;
  if (results !== null) vscode.setState({ uri: results.uri });
  draw();
}

/** Another program: its charts and the last answer are not this one's. */
function forgetProgram(): void {
  for (const chart of charts.values()) chart.dispose();
  charts.clear();
  const old = sections.get('answer');
  old?.body.replaceChildren();
  if (old !== undefined) old.section.hidden = true;
}

function showAnswer(view: View): void {
  const { title: name, body } = answer(view, reveal, sessions => vscode.postMessage({ type: 'explore', sessions }));
  const place = section('answer', name, true);
  place.replaceChildren(body);
  place.closest('details')?.scrollIntoView();
}

function receive(message: ToPanel): void {
  switch (message.type) {
    case 'results':
      showResults(message.results, message.title);
      break;
    case 'status':
      ({ status } = message);
      drawHeader();
      break;
    case 'view':
      showAnswer(message.view);
      break;
    case 'highlight':
      highlight(message.line);
      break;
    case 'focus':
      focus(message.id);
      break;
  }
}

window.addEventListener('message', (event: MessageEvent<ToPanel>) => receive(event.data));

// Another theme: the colours of the charts are read anew.
new MutationObserver(() => {
  for (const chart of charts.values()) chart.forget();
  if (results !== null) draw();
}).observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] });

root.append(header, banner);
// What is scrolled to stands below the header, however many rows its buttons take.
new ResizeObserver(() => document.documentElement.style.setProperty('--header', `${header.offsetHeight}px`)).observe(header);
section('waitfor', 'Deadlock: who waits for whom', false);
section('answer', '', false);
draw();
vscode.postMessage({ type: 'ready' });
