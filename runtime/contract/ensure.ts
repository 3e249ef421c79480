import { Data, type Effect } from 'effect';
import type { CacheReader } from '../cache/reader.ts';
import type { WriteError } from '../services/cluster/cluster.ts';
import type { CloudFailed } from '../services/cloud.ts';
import type { StoreFailed } from '../services/objectStore.ts';
import type { Outside } from '../services/outside.ts';
import type { AddOther, MoveOther } from './command.ts';

/** A service that an ensure needs refused the request, or did not answer. */
export class ServiceFailed extends Data.TaggedError('ServiceFailed')<{ readonly message: string }> {}

export type EnsureError = WriteError | StoreFailed | CloudFailed | ServiceFailed;

/** `done` requests another pass at once, which sees the effect; `waits` requeues. */
export type Ensured =
  { readonly is: 'holds' } | { readonly is: 'done' } | { readonly is: 'waits'; readonly afterMs: number };

export const holds: Ensured = { is: 'holds' };

export const done: Ensured = { is: 'done' };

export interface Ensuring<O> {
  readonly object: O;
  readonly reader: CacheReader;
  /** Whether this pass moved the machine into its state from another; for an ensure of the kind, any machine. */
  readonly entered: boolean;
  /** Moves another object by a command, as any client might. */
  readonly move: MoveOther;
  readonly add: AddOther;
}

export interface Ensure<O> {
  run(given: Ensuring<O>): Effect.Effect<Ensured, EnsureError, Outside>;
  /** When it runs besides the passes that call for it. Without a schedule a failure fails the pass. */
  readonly schedule?: Schedule<O>;
}

/** When an ensure runs: after a failure, and at what interval where it polls. */
interface Schedule<O> {
  /** A failure is retried after this time, doubling to `maxMs`. */
  readonly firstMs: number;
  readonly maxMs: number;
  /**
   * For a source without change events: it runs only at the times that it requested, first within `firstWithinMs` of a
   * new leadership, spread over the objects. Where it does not apply, it neither runs nor requeues.
   */
  readonly poll?: {
    applies(object: O): boolean;
    firstWithinMs(reader: CacheReader): number;
  };
}

/** One ensure that failed: its name, how often it failed in a row, and why the last time. */
interface EnsureFailure {
  readonly ensure: string;
  readonly count: number;
  readonly why: string;
}

/** The ensures that failed in their last run, by name and list entry. */
export type EnsureMemory = Map<string, EnsureFailure>;

/** The key under which failures of a finalizer's `release` are kept among the ensures. */
export const releasing = 'release';
