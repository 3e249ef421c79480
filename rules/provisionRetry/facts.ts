import type { Fact } from '../fact.ts';

/** How a pass that tried to provision ended; `kind` names the class of message, `text` is the message. */
export type PassOutcome =
  { readonly is: 'succeeded' } | { readonly is: 'failed'; readonly kind: string; readonly text: string };

/** What one pass knows of the row of failures of its resource. */
export interface ProvisionRetryFacts {
  readonly now: number;
  readonly asked: 'deploy' | 'retry' | null;
  /** `metadata.generation`. */
  readonly generation: number;
  /** Whether a row goes on over failures of any kind, or only of the kind it began with. */
  readonly rowOf: 'oneKind' | 'anyKind';
  /** `status.reconcileRetry.reconcileFailures`. */
  readonly failures: number;
  /** `status.reconcileRetry.reconcileFailureStarted`; null while the clock stands still. */
  readonly startedAt: number | null;
  /** `status.reconcileRetry.reconcileFailureGeneration`. */
  readonly failedGeneration: number;
  /** The kind of the failure counted last, empty before the first. */
  readonly countedKind: string;
  /** Asked for by trying, which is not done at all once the resource has failed. */
  readonly outcome: Fact<PassOutcome>;
}
