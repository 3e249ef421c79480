import type { ProvisionRetryEvent, ProvisionRetryState } from '../../machines/names.ts';
import type { Fact } from '../fact.ts';
import type { Counts } from '../verdict.ts';
import type { Message } from '../words.ts';

/** The outcome of a pass that tries to provision; `kind` names the class of message, `says` is the message. */
export type PassOutcome =
  | { readonly is: 'succeeded' }
  | { readonly is: 'failed'; readonly counts: Counts; readonly kind: string; readonly says: Message };

/** The facts of one pass about the failures of its resource. */
export interface ProvisionRetryFacts {
  readonly now: number;
  readonly asked: 'retry' | null;
  /** `metadata.deletionTimestamp` is set. */
  readonly deleted: boolean;
  /** `metadata.generation`. */
  readonly generation: number;
  /** Whether the annotation `deploy-revision` differs from the started `status.deployRevision`. */
  readonly redeployed: boolean;
  /** Whether the count continues over failures of any kind, or only of the kind it began with. */
  readonly rowOf: 'oneKind' | 'anyKind';
  /** `status.reconcileRetry.reconcileFailures`. */
  readonly failures: number;
  /** `status.reconcileRetry.reconcileFailureStarted`; null while the clock is stopped. */
  readonly startedAt: number | null;
  /** `status.reconcileRetry.reconcileFailureGeneration`. */
  readonly failedGeneration: number;
  /** `status.reconcileRetry.lastFailureAt`; null before the first. */
  readonly lastFailureAt: number | null;
  /** `status.reconcileRetry.lastFailureKind`, empty before the first. */
  readonly countedKind: string;
  /** Requires the observation of related objects, which is skipped after giving up. */
  readonly outcome: Fact<PassOutcome>;
}

/** The run of counted failures after this pass, and the event of this pass that changed it. */
export interface RetrySeen {
  readonly state: ProvisionRetryState;
  readonly event: ProvisionRetryEvent['type'] | null;
}
