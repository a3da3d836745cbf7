/** The answers of commands: comparison, sweep, exploration, explanation, automaton. */
import type { View } from '../src/panel/messages';
import type { Comparison, Explanation, Exploration, Range, Sweep } from '../src/protocol';
import { intervals } from './charts';
import { h } from './dom';
import { count, number, percent, time } from './format';
import { automatonView } from './graphs';
import { difference, table } from './tables';

type Reveal = (range: Range) => void;

/** `explore` asks for another search with so many sessions. */
export function answer(view: View, reveal: Reveal, explore: (sessions: number) => void): { title: string; body: HTMLElement } {
  switch (view.kind) {
    case 'comparison': return { title: `Against baseline ${view.data.baseline.label}`, body: comparison(view.data) };
    case 'sweep': return { title: `Sweep of ${view.data.constant}`, body: sweep(view.data, reveal) };
    case 'exploration': return { title: 'All orders', body: exploration(view.data, reveal, explore) };
    case 'explanation': return { title: `Session ${view.data.serial}: ${view.data.observation} = ${number(view.data.value)}`, body: explanation(view.data, reveal) };
    case 'automaton': return { title: `Automaton: ${view.data.states.length} states`, body: automatonView(view.data, reveal) };
  }
}

function comparison({ rows }: Comparison): HTMLElement {
  return table(['name', 'quantity', 'before', 'after', 'change'], rows.map(row => h('tr', { 'data-id': row.id },
    h('th', { scope: 'row' }, row.name), h('td', {}, row.quantity), h('td', {}, number(row.before)), h('td', {}, number(row.after)), h('td', {}, difference(row.delta)))));
}

function sweep(data: Sweep, reveal: Reveal): HTMLElement {
  const points = data.points.map(point => ({
    x: point.value, y: point.mean, ci: point.ci, marked: point.value === data.value,
    label: `${data.constant} = ${number(point.value)}: ${number(point.mean)}${point.ci === null ? '' : ` ± ${number(point.ci, 2)}`} (${point.verdict})`,
  }));
  const cliff = data.cliff === null ? 'no cliff in this span' : `breaks away near ${data.constant} = ${number(data.cliff)}`;
  return h('div', {},
    h('p', {}, h('button', { class: 'link', click: () => reveal(data.range) }, `${data.constant} = ${number(data.value)}`), `: ${data.metric}, ${cliff}`),
    h('div', { class: 'scroll' }, intervals(points, data.constant, data.metric + (data.unit === null ? '' : ` (${data.unit})`), data.cliff)),
    table([data.constant, data.metric, '±', 'verdict'], data.points.map(point => h('tr', {},
      h('th', { scope: 'row' }, `${number(point.value)} (${number(point.factor)}×)`), h('td', {}, number(point.mean)), h('td', {}, number(point.ci, 2)), h('td', {}, point.verdict)))));
}

function exploration(data: Exploration, reveal: Reveal, explore: (sessions: number) => void): HTMLElement {
  const verdict = data.outcome === 'holds'
    ? h('span', { class: 'good' }, 'holds in every order')
    : h('span', { class: data.outcome === 'violated' ? 'bad' : 'dim' }, data.outcome === 'violated' ? 'violated' : 'the limit was reached before the end');
  const seen = data.complete ? 'complete' : data.violations.length > 0 ? 'until the first finding' : 'not complete';
  return h('div', {}, h('p', {}, `${count(data.states)} states, ${seen}: `, verdict),
    data.violations.length > 0 ? null : h('p', { class: 'dim' }, data.text),
    ...data.violations.map(violation => h('details', { open: true },
      h('summary', {}, `${violation.kind}: ${violation.message}`),
      h('ul', { class: 'steps' }, ...violation.trace.map(step => h('li', {}, place(step.label, step.range, reveal)))))),
    h('p', { class: 'row' }, h('span', { class: 'dim' }, 'Search again with'),
      ...[2, 3, 4].map(sessions => h('button', { click: () => explore(sessions) }, `${sessions} sessions`))));
}

function explanation(data: Explanation, reveal: Reveal): HTMLElement {
  const most = Math.max(...data.parts.map(part => part.share), 1e-9);
  return table(['where', 'state', 'time', 'share', '', 'times'], data.parts.map(part => h('tr', { 'data-line': part.range?.start.line ?? null },
    h('th', { scope: 'row' }, place(part.label, part.range, reveal)), h('td', {}, part.state), h('td', {}, time(part.seconds)), h('td', {}, percent(part.share)),
    h('td', {}, meter(part.share / most, part.state)), h('td', {}, count(part.times)))));
}

function meter(part: number, state: string): HTMLElement {
  const bar = h('i', { class: `meter swatch ${state}` });
  bar.style.width = `${Math.max(part * 120, 1)}px`;
  return bar;
}

function place(label: string, range: Range | null, reveal: Reveal): HTMLElement {
  return range === null ? h('span', {}, label) : h('button', { class: 'link', click: () => reveal(range) }, label);
}
