/** What the server says beyond LSP: the TypeScript side of editors/PROTOCOL.md, where units and meanings are given. */

export const PROTOCOL_VERSION = 1;

export interface Position { line: number; character: number }
export interface Range { start: Position; end: Position }

export type VerdictState = 'steady' | 'warming' | 'overloaded' | 'few-samples' | 'stuck' | 'unknown';
export interface Verdict { state: VerdictState; message: string; slope: number | null }

export interface Series { t: number[]; v: (number | null)[]; step: boolean }
export interface Histogram { edges: number[]; counts: number[] }
export interface Delta { mean: number | null; ci: number | null; relative: number | null; significant: boolean; p99: number | null }

interface Entry { id: string; name: string; range: Range | null; delta: Delta | null }

export interface Observation extends Entry {
  ranges: Range[];
  unit: string | null;
  count: number;
  mean: number | null; ci: number | null; min: number | null; max: number | null;
  p50: number | null; p90: number | null; p99: number | null; cv2: number | null;
  verdict: VerdictState;
  histogram: Histogram | null;
  series: Series | null;
}

export interface Gauge extends Entry {
  mean: number | null; ci: number | null; min: number | null; max: number | null;
  series: Series | null;
}

export interface Stage extends Entry {
  index: number | null;
  kind: 'fifo' | 'ps' | 'delay' | 'step';
  number: number | null; utilization: number | null; throughput: number | null;
  wait: number | null; service: number | null; completed: number;
  iterations: number | null; iterationsPerSecond: number | null; batch: number | null;
  idleWithWork: boolean;
  series: { number: Series; busy: Series | null } | null;
}

export interface Pool extends Entry {
  index: number | null;
  cap: number | null;
  used: number | null; cached: number | null; queue: number | null; holders: number | null; wait: number | null;
  admissions: number; evictions: number; preemptions: number; spills: number; rejected: number; stuck: number;
  overCap: { queue: string; need: number } | null;
  series: { used: Series; cached: Series; queue: Series } | null;
}

export interface Claim {
  id: string; name: string; range: Range | null;
  kind: 'every_iteration' | 'some_iteration' | 'at_end';
  result: 'holds' | 'fails' | 'witnessed' | 'not_witnessed' | 'not_evaluated' | 'out_of_scope';
  checked: number; failures: number; first: number | null; note: string | null;
}

export interface Baseline {
  generation: number; pinned: boolean; label: string; seed: number;
  values: Record<string, { mean: number | null; ci: number | null; p99: number | null; series: Series | null }>;
}

export type SegmentState = 'waiting' | 'holding' | 'running' | 'preempted';
export interface Segment {
  from: number; to: number; state: SegmentState;
  on: string | null; amount: number | null; range: Range | null; lane: number;
}
export interface SessionLine {
  serial: number; arrived: number; ended: number | null;
  outcome: 'ended' | 'rejected' | 'stuck' | 'live';
  segments: Segment[];
}
export interface Timeline {
  from: number; to: number; total: number; first: number; truncated: boolean; until?: number; sessions: SessionLine[];
}

export interface WaitForNode { id: string; kind: 'session' | 'pool' | 'stage'; label: string; detail: string | null; range: Range | null }
export interface WaitForEdge { from: string; to: string; kind: 'waits' | 'holds'; label: string; range: Range | null; cycle: boolean }
export interface WaitFor { at: number; nodes: WaitForNode[]; edges: WaitForEdge[]; message: string }

export interface Test {
  id: string; label: string; kind: 'claim' | 'stuck' | 'rejected'; range: Range | null;
  outcome: 'passed' | 'failed' | 'skipped' | 'unknown';
  message: string | null; at: Range | null;
  related: { message: string; range: Range }[];
}

export interface Results {
  protocol: number;
  uri: string; version: number; generation: number;
  state: 'running' | 'final' | 'partial' | 'failed';
  stale: boolean;
  insteadOf?: { horizon: number; warmup: number } | null;
  error: { message: string; range: Range | null; code: string | null } | null;
  stamp: {
    version: string; seed: number; horizon: number | null; warmup: number; replications: number;
    tick: string | null; program: string; engine: string; instance?: string | null;
  };
  run: {
    end: number; events: number; arrivals: number; ended: number; turns: number;
    meanLive: number | null; wallSeconds: number; range: Range | null;
  };
  verdict: Verdict;
  observations: Observation[]; gauges: Gauge[]; stages: Stage[]; pools: Pool[]; claims: Claim[]; tests: Test[];
  timeline: Timeline | null;
  waitFor: WaitFor | null;
  baseline: Baseline | null;
  notes: { message: string; severity: 'info' | 'warning' | 'error'; range: Range | null }[];
}

export interface Comparison {
  baseline: Baseline;
  rows: { id: string; name: string; quantity: string; before: number | null; after: number | null; delta: Delta }[];
  text: string;
}

export interface Sweep {
  constant: string; range: Range; metric: string; unit: string | null; value: number;
  points: { factor: number; value: number; mean: number | null; ci: number | null; verdict: VerdictState }[];
  cliff: number | null; text: string;
}

export interface Exploration {
  states: number; complete: boolean; outcome: 'holds' | 'violated' | 'limit';
  violations: { kind: string; message: string; range: Range | null; trace: { label: string; range: Range | null }[] }[];
  text: string;
}

export interface Explanation {
  observation: string; serial: number; value: number; total: number;
  parts: { label: string; state: SegmentState; seconds: number; share: number; times: number; range: Range | null }[];
  text: string;
}

export interface Automaton {
  states: { id: number; kind: string; label: string; scope: number; range: Range | null }[];
  edges: { from: number; to: number; label: string | null; kind: 'next' | 'branch' | 'preempt' | 'exit' }[];
  scopes: { id: number; parent: number | null; hold: string | null; reentry: number | null }[];
  entry: number; text: string; dot: string;
}

export type RunState = 'idle' | 'running' | 'stale' | 'failed';
export interface StatusParams {
  uri: string; state: RunState; generation: number; progress: number | null;
  message: string | null; verdict: VerdictState | null; errors: number;
}
export interface ResultsParams { uri: string; generation: number; final: boolean }

/** The server's part of the version handshake (`capabilities.experimental.serq`). */
export interface ServerFacts { protocol: number; language?: string; ir?: number }
