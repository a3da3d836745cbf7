/** Graphs: who waits for whom in a deadlock, and the session automaton as a listing with arcs. */
import type { Automaton, Range, WaitFor, WaitForNode } from '../src/protocol';
import { h, s } from './dom';

type Reveal = (range: Range) => void;

const BOX = { width: 190, height: 40, gap: 26 };

/** Sessions on the left, what they wait for and hold on the right: every edge crosses the middle. */
export function waitForGraph(graph: WaitFor, reveal: Reveal): SVGSVGElement {
  const left = graph.nodes.filter(node => node.kind === 'session');
  const right = graph.nodes.filter(node => node.kind !== 'session');
  const rows = Math.max(left.length, right.length, 1);
  const [width, height] = [640, rows * (BOX.height + BOX.gap) + 20];
  const place = new Map<string, { x: number; y: number; node: WaitForNode }>();
  for (const [list, x] of [[left, 10], [right, width - BOX.width - 10]] as const) {
    const offset = (height - list.length * (BOX.height + BOX.gap) + BOX.gap) / 2;
    list.forEach((node, i) => place.set(node.id, { x, y: offset + i * (BOX.height + BOX.gap), node }));
  }
  const inCycle = new Set(graph.edges.filter(edge => edge.cycle).flatMap(edge => [edge.from, edge.to]));
  return s('svg', { class: 'graph', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': graph.message },
    s('defs', {}, arrow('arrow', 'head'), arrow('arrow-cycle', 'head cycle')),
    ...graph.edges.map((edge, i) => {
      const [from, to] = [place.get(edge.from), place.get(edge.to)];
      return from === undefined || to === undefined ? null : connection(edge, from, to, i, reveal);
    }),
    ...[...place.values()].map(({ x, y, node }) => box(node, x, y, inCycle.has(node.id), reveal)));
}

function arrow(id: string, style: string): SVGMarkerElement {
  return s('marker', { id, viewBox: '0 0 10 10', refX: 9, refY: 5, markerWidth: 7, markerHeight: 7, orient: 'auto-start-reverse' },
    s('path', { class: style, d: 'M0 0L10 5L0 10z' }));
}

function connection(
  edge: WaitFor['edges'][number], from: { x: number; y: number }, to: { x: number; y: number }, index: number, reveal: Reveal,
): SVGElement {
  const rightward = from.x < to.x;
  const lift = edge.kind === 'waits' ? -7 : 7;
  const [x1, y1] = [rightward ? from.x + BOX.width : from.x, from.y + BOX.height / 2 + lift];
  const [x2, y2] = [rightward ? to.x : to.x + BOX.width, to.y + BOX.height / 2 + lift];
  const middle = (x1 + x2) / 2;
  // Labels of crossing edges sit at different places along them.
  const share = edge.kind === 'waits' ? 0.28 : 0.72;
  const at = rightward ? share : 1 - share;
  const labelX = x1 + (x2 - x1) * at;
  const labelY = y1 + (y2 - y1) * smooth(at) - 4;
  const range = edge.range;
  return s('g', { class: `edge ${edge.kind}${edge.cycle ? ' cycle' : ''}`, click: range === null ? null : () => reveal(range), 'data-edge': index },
    s('path', { d: `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`, 'marker-end': `url(#${edge.cycle ? 'arrow-cycle' : 'arrow'})` }),
    s('text', { x: labelX, y: labelY, 'text-anchor': 'middle' }, edge.label));
}

/** Where the curve stands between its ends, near enough for a label. */
function smooth(part: number): number {
  return part * part * (3 - 2 * part);
}

function box(node: WaitForNode, x: number, y: number, cycle: boolean, reveal: Reveal): SVGElement {
  const range = node.range;
  return s('g', { class: `node ${node.kind}${cycle ? ' cycle' : ''}`, click: range === null ? null : () => reveal(range) },
    s('rect', { x, y, width: BOX.width, height: BOX.height, rx: node.kind === 'session' ? 18 : 4 }),
    s('text', { x: x + BOX.width / 2, y: y + (node.detail === null ? 24 : 17), 'text-anchor': 'middle' }, node.label),
    node.detail === null ? null : s('text', { class: 'detail', x: x + BOX.width / 2, y: y + 32, 'text-anchor': 'middle' }, node.detail),
    s('title', {}, node.detail === null ? node.label : `${node.label}: ${node.detail}`));
}

/** The automaton as rows in program order, indented by open holds, with an arc for every jump. */
export function automatonView(automaton: Automaton, reveal: Reveal): HTMLElement {
  const ROW = 22;
  const scopes = new Map(automaton.scopes.map(scope => [scope.id, scope]));
  const depth = (id: number): number => {
    let steps = 0;
    for (let at = scopes.get(id)?.parent ?? null; at !== null && steps < 40; at = scopes.get(at)?.parent ?? null) steps++;
    return steps;
  };
  const row = new Map(automaton.states.map((state, i) => [state.id, i]));
  const middle = (id: number): number => (row.get(id) ?? 0) * ROW + ROW / 2;
  const textWidth = 420;
  const jumps = automaton.edges.filter(({ from, to }) => (row.get(to) ?? 0) !== (row.get(from) ?? 0) + 1);
  const width = textWidth + 150;
  const height = automaton.states.length * ROW + 8;
  const drawing = s('svg', { class: 'automaton', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': 'session automaton' },
    s('defs', {}, arrow('jump', 'head')),
    ...automaton.states.map((state, i) => {
      const range = state.range;
      const indent = 8 + depth(state.scope) * 14;
      return s('g', { class: `state ${state.kind}${state.id === automaton.entry ? ' entry' : ''}`, click: range === null ? null : () => reveal(range) },
        s('rect', { x: indent, y: i * ROW + 2, width: textWidth - indent, height: ROW - 4, rx: 3 }),
        s('text', { x: indent + 8, y: i * ROW + 15 }, `${state.id}  ${state.label}`));
    }),
    ...jumps.map(({ from, to, label, kind }) => {
      const [y1, y2] = [middle(from), middle(to)];
      const reach = Math.min(18 + Math.abs(y2 - y1) / 5, 140);
      return s('g', { class: `jump ${kind}` },
        s('path', { d: `M${textWidth} ${y1}C${textWidth + reach} ${y1} ${textWidth + reach} ${y2} ${textWidth + 2} ${y2}`, 'marker-end': 'url(#jump)' }),
        s('title', {}, `${from} → ${to} (${kind})${label === null ? '' : `: ${label}`}`));
    }));
  return h('div', { class: 'scroll' }, drawing);
}
