/** What the extension and its webview say to each other. */
import type { Automaton, Comparison, Explanation, Exploration, Range, Results, StatusParams, Sweep } from '../protocol';

export type View =
  | { kind: 'comparison'; data: Comparison }
  | { kind: 'sweep'; data: Sweep }
  | { kind: 'exploration'; data: Exploration }
  | { kind: 'explanation'; data: Explanation }
  | { kind: 'automaton'; data: Automaton };

export type ToPanel =
  | { type: 'results'; results: Results | null; title: string }
  | { type: 'status'; status: StatusParams }
  | { type: 'view'; view: View }
  | { type: 'highlight'; line: number | null }
  | { type: 'focus'; id: string };

export type FromPanel =
  | { type: 'ready' }
  | { type: 'reveal'; range: Range; preview: boolean }
  | { type: 'timeline'; from: number; to: number; first: number; limit: number }
  | { type: 'command'; command: 'run' | 'stop' | 'pin' | 'unpin' | 'compare' | 'explain' }
  | { type: 'explore'; sessions: number }
  | { type: 'save'; name: string; text: string }
  | { type: 'rendered'; generation: number; charts: number };
