/** Charts: uPlot over time, and small drawings (sparkline, histogram, interval) that sit in table cells. */
import uPlot from 'uplot';
import type { Histogram, Series } from '../src/protocol';
import { color, h, s } from './dom';
import { number, ticks } from './format';
import { join } from './series';

export interface Line { label: string; series: Series; color: number; dashed?: boolean }

const PALETTE = [
  ['charts-blue', '#3794ff'], ['charts-green', '#89d185'], ['charts-yellow', '#cca700'],
  ['charts-purple', '#b180d7'], ['charts-red', '#f14c4c'], ['terminal-ansiCyan', '#11a8cd'],
] as const;

export function paint(index: number): string {
  const [name, fallback] = PALETTE[index % PALETTE.length] ?? PALETTE[0];
  return color(name, fallback);
}

/** One chart over time that keeps its zoom while its data is renewed. */
export class TimeChart {
  readonly element = h('div', { class: 'chart' });
  private plot: uPlot | undefined;
  private shape = '';
  private readonly resized = new ResizeObserver(() => this.resize());

  constructor(private readonly title: string, private readonly height = 140) {
    this.resized.observe(this.element);
  }

  draw(lines: Line[]): void {
    const shape = JSON.stringify(lines.map(({ label, color: c, series }) => [label, c, series.step]));
    const data = join(lines.map(line => line.series));
    if (this.plot !== undefined && shape === this.shape) {
      this.plot.setData(data);
      return;
    }
    this.plot?.destroy();
    this.shape = shape;
    this.plot = new uPlot(this.options(lines), data, this.element);
  }

  /** Colours are read when a chart is made: another theme needs another chart. */
  forget(): void {
    this.plot?.destroy();
    this.plot = undefined;
  }

  dispose(): void {
    this.resized.disconnect();
    this.forget();
    this.element.remove();
  }

  private resize(): void {
    const width = this.element.clientWidth;
    if (width > 0) this.plot?.setSize({ width, height: this.height });
  }

  private options(lines: Line[]): uPlot.Options {
    const text = color('foreground', '#ccc');
    const grid = color('editorIndentGuide-background1', 'rgba(128, 128, 128, 0.25)');
    const axis: uPlot.Axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 }, font: '11px sans-serif' };
    return {
      title: this.title,
      width: Math.max(this.element.clientWidth, 240),
      height: this.height,
      scales: { x: { time: false }, y: { range: (_plot, low, high) => (low >= 0 ? [0, high === 0 ? 1 : high * 1.05] : [low, high]) } },
      axes: [
        { ...axis, size: 28, values: (_plot, marks) => marks.map(mark => number(mark)) },
        { ...axis, size: 56, values: (_plot, marks) => marks.map(mark => number(mark, 3)) },
      ],
      legend: { live: true },
      cursor: { drag: { x: true, y: false }, sync: { key: 'serq' } },
      series: [
        { label: 'time', value: (_plot, value) => number(value) },
        ...lines.map((line): uPlot.Series => ({
          label: line.label,
          stroke: paint(line.color),
          width: 1.5,
          ...(line.dashed === true ? { dash: [5, 4] } : {}),
          ...(line.series.step && uPlot.paths.stepped !== undefined ? { paths: uPlot.paths.stepped({ align: 1 }) } : {}),
          points: { show: false },
          spanGaps: true,
          value: (_plot, value) => number(value),
        })),
      ],
    };
  }
}

/** A line of a series in a table cell, with the baseline's below it. */
export function sparkline(series: Series | null, before: Series | null = null, width = 110, height = 22): Element {
  if (series === null || series.t.length < 2) return h('span', { class: 'dim' }, '–');
  const values = [...series.v, ...(before?.v ?? [])].filter(value => value !== null);
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  const path = ({ t, v, step }: Series): string => {
    const [first = 0, last = 1] = [t[0], t.at(-1)];
    let d = '';
    let previous = 0;
    v.forEach((value, i) => {
      if (value === null) return;
      const x = 1 + ((t[i] ?? first) - first) / (last - first || 1) * (width - 2);
      const y = height - 2 - (value - low) / span * (height - 4);
      d += d === '' ? `M${x.toFixed(1)} ${y.toFixed(1)}` : step ? `L${x.toFixed(1)} ${previous.toFixed(1)}L${x.toFixed(1)} ${y.toFixed(1)}` : `L${x.toFixed(1)} ${y.toFixed(1)}`;
      previous = y;
    });
    return d;
  };
  return s('svg', { class: 'spark', width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `from ${number(low)} to ${number(low + span)}` },
    before === null ? null : s('path', { class: 'before', d: path(before) }),
    s('path', { class: 'now', d: path(series) }),
    s('title', {}, `${number(low)} … ${number(low + span)}`));
}

export function histogram(data: Histogram | null, width = 110, height = 22): Element {
  const most = Math.max(0, ...(data?.counts ?? []));
  if (data === null || most === 0) return h('span', { class: 'dim' }, '–');
  const bar = (width - 2) / data.counts.length;
  return s('svg', { class: 'histogram', width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': 'histogram' },
    ...data.counts.map((value, i) => {
      const size = value / most * (height - 2);
      return s('rect', { x: 1 + i * bar, y: height - 1 - size, width: Math.max(bar - 0.5, 0.5), height: size },
        s('title', {}, `${number(data.edges[i])} … ${number(data.edges[i + 1])}: ${value}`));
    }));
}

export interface Point { x: number; y: number | null; ci: number | null; marked: boolean; label: string }

/** Points with intervals over a number: the drawing of a sweep. */
export function intervals(points: Point[], xLabel: string, yLabel: string, mark: number | null, width = 560, height = 240): SVGSVGElement {
  const box = { left: 56, right: 12, top: 12, bottom: 36 };
  const xs = points.map(point => point.x);
  const ys = points.flatMap(({ y, ci }) => (y === null ? [] : [y - (ci ?? 0), y + (ci ?? 0)]));
  const [x0, x1] = [Math.min(...xs), Math.max(...xs)];
  const [y0, y1] = [Math.min(0, ...ys), Math.max(...ys, 1e-12)];
  const x = (value: number): number => box.left + (value - x0) / (x1 - x0 || 1) * (width - box.left - box.right);
  const y = (value: number): number => height - box.bottom - (value - y0) / (y1 - y0 || 1) * (height - box.top - box.bottom);
  const drawn = points.filter((point): point is Point & { y: number } => point.y !== null);
  return s('svg', { class: 'intervals', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': `${yLabel} over ${xLabel}` },
    ...ticks(y0, y1, 5).map(value => s('g', {},
      s('line', { class: 'grid', x1: box.left, x2: width - box.right, y1: y(value), y2: y(value) }),
      s('text', { x: box.left - 6, y: y(value) + 4, 'text-anchor': 'end' }, number(value, 3)))),
    ...ticks(x0, x1, 7).map(value => s('text', { x: x(value), y: height - box.bottom + 16, 'text-anchor': 'middle' }, number(value, 3))),
    s('text', { x: (box.left + width - box.right) / 2, y: height - 4, 'text-anchor': 'middle' }, xLabel),
    mark === null ? null : s('line', { class: 'cliff', x1: x(mark), x2: x(mark), y1: box.top, y2: height - box.bottom }, s('title', {}, `breaks away at ${number(mark)}`)),
    s('path', { class: 'now', d: drawn.map((point, i) => `${i === 0 ? 'M' : 'L'}${x(point.x)} ${y(point.y)}`).join('') }),
    ...drawn.map(point => s('g', { class: point.marked ? 'point marked' : 'point' },
      point.ci === null ? null : s('line', { x1: x(point.x), x2: x(point.x), y1: y(point.y - point.ci), y2: y(point.y + point.ci) }),
      s('circle', { cx: x(point.x), cy: y(point.y), r: 3.5 }, s('title', {}, point.label)))));
}
