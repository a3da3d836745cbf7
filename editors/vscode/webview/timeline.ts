/** The timeline of sessions: one row for each, bars for waiting, holding, running and preempted; zoom, pan and filter. */
import type { Range, Segment, SessionLine, Timeline } from '../src/protocol';
import { h, s } from './dom';
import { number, ticks } from './format';

const ROW = 16;
const LEFT = 64;
const TOP = 22;
/** More bars than this are not drawn at once: the zoom decides which. */
const MOST_BARS = 6000;

export interface Hooks {
  reveal: (range: Range) => void;
  ask: (window: { from: number; to: number; first: number; limit: number }) => void;
  save: () => void;
}

interface Window { from: number; to: number }

export class TimelineView {
  readonly element = h('div', { class: 'timeline' });
  private data: Timeline | undefined;
  private window: Window | undefined;
  private delays: ReadonlySet<string> = new Set();
  private line: number | null = null;
  private filter = { text: '', outcome: '', state: '' };
  private readonly drawing = h('div', { class: 'drawing' });
  private readonly note = h('span', { class: 'dim' });
  private readonly resources = h('datalist', { id: 'timeline-resources' });
  private readonly resized = new ResizeObserver(() => this.draw());

  constructor(private readonly hooks: Hooks) {
    this.element.append(this.controls(), this.drawing, legend());
    this.resized.observe(this.drawing);
    this.drawing.addEventListener('wheel', event => this.wheel(event), { passive: false });
    this.drawing.addEventListener('pointerdown', event => this.drag(event));
  }

  get svg(): SVGSVGElement | null {
    return this.drawing.querySelector('svg');
  }

  /** `delays` are the names of the stages where nobody waits for anybody: time there is drawn as a thin line. */
  show(data: Timeline, delays: ReadonlySet<string>): void {
    this.data = data;
    this.delays = delays;
    const names = new Set(data.sessions.flatMap(({ segments }) => segments.map(bar => bar.on ?? '')));
    this.resources.replaceChildren(...[...names].filter(Boolean).sort().map(value => h('option', { value })));
    this.draw();
  }

  /** Marks the bars of the statement on a line of the program. */
  highlight(line: number | null): void {
    this.line = line;
    for (const bar of this.drawing.querySelectorAll('.bar')) bar.classList.toggle('lit', line !== null && bar.getAttribute('data-line') === String(line));
  }

  private controls(): HTMLElement {
    const select = (label: string, options: string[], set: (value: string) => void): HTMLElement =>
      h('select', { 'aria-label': label, change: event => { set((event.target as HTMLSelectElement).value); this.draw(); } },
        h('option', { value: '' }, `all ${label}`), ...options.map(value => h('option', { value }, value)));
    return h('div', { class: 'controls' },
      h('input', {
        type: 'search', placeholder: 'session number, pool or stage', 'aria-label': 'filter sessions', list: 'timeline-resources',
        input: event => { this.filter.text = (event.target as HTMLInputElement).value.trim(); this.draw(); },
      }),
      this.resources,
      select('outcomes', ['ended', 'live', 'stuck', 'rejected'], value => { this.filter.outcome = value; }),
      select('states', ['waiting', 'holding', 'running', 'preempted'], value => { this.filter.state = value; }),
      h('button', { click: () => this.zoom(0.5, 0.5), title: 'Zoom in' }, '+'),
      h('button', { click: () => this.zoom(2, 0.5), title: 'Zoom out' }, '−'),
      h('button', { click: () => this.reset() }, 'Whole run'),
      h('button', { click: () => this.page(-1), title: 'Earlier sessions' }, '◀'),
      h('button', { click: () => this.page(1), title: 'Later sessions' }, '▶'),
      h('button', { click: () => this.hooks.save() }, 'CSV'),
      this.note);
  }

  private extent(): Window {
    return this.window ?? { from: this.data?.from ?? 0, to: this.data?.to ?? 1 };
  }

  private reset(): void {
    this.window = undefined;
    this.draw();
  }

  private page(direction: 1 | -1): void {
    if (this.data === undefined) return;
    const limit = Math.max(this.data.sessions.length, 50);
    const first = Math.min(Math.max(0, this.data.first + direction * limit), Math.max(0, this.data.total - 1));
    this.window = undefined;
    this.hooks.ask({ from: this.data.from, to: this.data.to, first, limit });
  }

  private zoom(factor: number, at: number): void {
    const { from, to } = this.extent();
    const middle = from + (to - from) * at;
    const whole = { from: this.data?.from ?? 0, to: this.data?.to ?? 1 };
    const next = { from: Math.max(whole.from, middle - (middle - from) * factor), to: Math.min(whole.to, middle + (to - middle) * factor) };
    if (next.to - next.from > (whole.to - whole.from) * 1e-9) this.window = next;
    this.draw();
  }

  private wheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.shiftKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return; // plain wheel scrolls the page
    event.preventDefault();
    const box = this.drawing.getBoundingClientRect();
    const at = Math.min(1, Math.max(0, (event.clientX - box.left - LEFT) / (box.width - LEFT)));
    if (event.ctrlKey) this.zoom(event.deltaY > 0 ? 1.25 : 0.8, at);
    else this.pan((event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX) / (box.width - LEFT));
  }

  private pan(part: number): void {
    const { from, to } = this.extent();
    const whole = { from: this.data?.from ?? 0, to: this.data?.to ?? 1 };
    const shift = Math.min(Math.max((to - from) * part, whole.from - from), whole.to - to);
    this.window = { from: from + shift, to: to + shift };
    this.draw();
  }

  /** Dragging over the axis zooms into what was covered. */
  private drag(down: PointerEvent): void {
    const box = this.drawing.getBoundingClientRect();
    if (down.clientY - box.top > TOP || down.button !== 0) return;
    const { from, to } = this.extent();
    const at = (x: number): number => from + (to - from) * Math.min(1, Math.max(0, (x - box.left - LEFT) / (box.width - LEFT)));
    const up = (event: PointerEvent): void => {
      window.removeEventListener('pointerup', up);
      const [a, b] = [at(down.clientX), at(event.clientX)].sort((x, y) => x - y) as [number, number];
      if (Math.abs(event.clientX - down.clientX) < 4) return;
      this.window = { from: a, to: b };
      this.draw();
    };
    window.addEventListener('pointerup', up);
  }

  private chosen({ from, to }: Window): SessionLine[] {
    const { text, outcome, state } = this.filter;
    const matches = (bar: Segment): boolean => bar.to >= from && bar.from <= to && (state === '' || bar.state === state);
    return (this.data?.sessions ?? []).filter(session =>
      (outcome === '' || session.outcome === outcome) &&
      session.segments.some(bar => matches(bar) && (text === '' || /^\d+$/.test(text) || (bar.on ?? '').startsWith(text))) &&
      (!/^\d+$/.test(text) || String(session.serial) === text));
  }

  private draw(): void {
    const data = this.data;
    if (data === undefined || this.drawing.clientWidth === 0) return;
    const view = this.extent();
    const width = this.drawing.clientWidth;
    const x = (time: number): number => LEFT + (Math.min(Math.max(time, view.from), view.to) - view.from) / (view.to - view.from || 1) * (width - LEFT - 8);
    const sessions = this.chosen(view);
    const bars: SVGElement[] = [];
    let y = TOP;
    let drawn = 0;
    let left = sessions.length;
    for (const session of sessions) {
      const lanes = 1 + Math.max(0, ...session.segments.map(bar => bar.lane));
      const visible = session.segments.filter(bar => bar.to >= view.from && bar.from <= view.to).sort((a, b) => order(a) - order(b));
      if (drawn + visible.length > MOST_BARS) break;
      drawn += visible.length;
      left--;
      bars.push(s('text', { class: `serial ${session.outcome}`, x: LEFT - 8, y: y + 12, 'text-anchor': 'end' }, `#${session.serial}`,
        s('title', {}, `session ${session.serial}: ${session.outcome}, arrived ${number(session.arrived)}`)));
      for (const bar of visible) bars.push(this.bar(bar, session, x, y + bar.lane * ROW));
      y += lanes * ROW;
    }
    const height = Math.max(y, TOP + ROW) + 4;
    const marks = ticks(view.from, view.to, Math.max(2, Math.floor(width / 110)));
    this.drawing.replaceChildren(s('svg', { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': 'timeline of sessions' },
      ...marks.map(mark => s('g', {}, s('line', { class: 'grid', x1: x(mark), x2: x(mark), y1: TOP - 4, y2: height }), s('text', { class: 'mark', x: x(mark), y: 12, 'text-anchor': x(mark) > width - 30 ? 'end' : 'middle' }, number(mark)))),
      ...bars));
    const last = data.first + data.sessions.length;
    this.note.textContent = `${sessions.length} shown of sessions ${data.first}–${Math.max(data.first, last - 1)} of ${data.total}` +
      (data.truncated ? `; followed until ${number(data.until ?? data.to)} s only: later events are missing` : '') + (left > 0 ? `; ${left} more after zooming in` : '');
    this.highlight(this.line);
  }

  private bar(bar: Segment, session: SessionLine, x: (time: number) => number, y: number): SVGElement {
    const style = bar.state === 'running' && bar.on !== null && this.delays.has(bar.on) ? 'away' : bar.state;
    const [inset, size] = { holding: [1, ROW - 2], running: [4, ROW - 8], waiting: [6, ROW - 12], preempted: [3, ROW - 6], away: [7, ROW - 14] }[style] as [number, number];
    const range = bar.range;
    const what = `session ${session.serial}: ${bar.state}${bar.on === null ? '' : ` ${bar.state === 'waiting' ? 'for' : bar.state === 'running' ? 'on' : ''} ${bar.on}`}` +
      `${bar.amount === null ? '' : ` (${number(bar.amount)})`}, ${number(bar.from)} to ${number(bar.to)} = ${number(bar.to - bar.from)}`;
    return s('rect', {
      class: `bar ${style}`, x: x(bar.from), y: y + inset, width: Math.max(x(bar.to) - x(bar.from), 1.5), height: size, rx: 1.5,
      'data-line': range?.start.line ?? null, 'aria-label': what, tabindex: -1,
      click: range === null ? null : () => this.hooks.reveal(range),
    }, s('title', {}, what));
  }
}

/** Holding is drawn first, so that running and waiting lie on it. */
function order(bar: Segment): number {
  return { holding: 0, waiting: 1, running: 2, preempted: 3 }[bar.state];
}

const LEGEND = { waiting: 'waiting', holding: 'holding', running: 'running', away: 'at a delay stage', preempted: 'preempted' };

function legend(): HTMLElement {
  return h('div', { class: 'legend' },
    ...Object.entries(LEGEND).map(([state, text]) => h('span', {}, h('i', { class: `swatch ${state}` }), text)),
    h('span', { class: 'dim' }, 'Ctrl+wheel zooms, Shift+wheel moves, drag over the axis to zoom in, click a bar to go to its statement'));
}
