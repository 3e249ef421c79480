import { Context } from 'effect';

/** What the runtime counts (decision 144). Every call is cheap and never fails. */
export interface MetricsShape {
  readonly passed: (machine: string, result: 'ok' | 'failed' | 'conflict', seconds: number) => void;
  readonly moved: (machine: string, from: string, event: string, to: string) => void;
  /**
   * `decided`: an event without an arrow; `outside`: a state written by another client that no arrow leads to; `asked`:
   * a command that was refused.
   */
  readonly refused: (machine: string, origin: 'decided' | 'outside' | 'asked') => void;
  readonly ensureFailed: (kind: string, ensure: string) => void;
  readonly queueDepth: (read: () => number) => void;
}

export class Metrics extends Context.Service<Metrics, MetricsShape>()('core/Metrics') {}
