import type { ProvisionRetryState } from '../../machines/names.ts';
import type { FailedAction } from '../cause/failedAction.ts';
import type { MissingSource } from '../cause/missingSource.ts';
import type { Fact } from '../fact.ts';
import type { NamespaceSeen } from '../project/namespace.ts';
import type { Remaining } from '../project/remaining.ts';
import type { Terminating } from '../project/terminating.ts';
import type { Counts } from '../verdict.ts';

/** The facts about a project and what it depends on, independent of its machines. */
export interface ProjectObserved {
  /** `metadata.name`. */
  readonly project: string;
  /** `metadata.deletionTimestamp` is set. */
  readonly deleted: boolean;
  /** `spec.environments`, as written, without those that are being deleted. */
  readonly environments: readonly string[];
  /** Running deletions, and their remaining contents. */
  readonly remaining: readonly Remaining[];
  /** `spec.clusterRef.name`. */
  readonly clusterRef: string;
  /** `status.clusterRef`; empty before the first success. */
  readonly observedClusterRef: string;
  readonly cluster: 'absent' | 'notReady' | 'ready';
  /**
   * The namespaces of the environments; read directly when one of them is not cached, because it may exist
   * nevertheless.
   */
  readonly namespaces: Fact<readonly NamespaceSeen[]>;
  /** What is missing or different in the namespaces: policies, the operator's binding, variables. */
  readonly missingPieces: readonly string[];
  /** Fields that another manager keeps changing back, as text. */
  readonly contested: readonly string[];
  /** Why the action of this pass failed; null when it succeeded. */
  readonly failure: (FailedAction & { readonly counts: Counts }) | null;
  /** The shared variables whose Secret or key is missing. */
  readonly missingVariables: readonly MissingSource[];
  /** The cached namespaces of its environments that are being deleted. */
  readonly terminating: readonly Terminating[];
}

/** The facts of one pass over a project. */
export interface ProjectReadyFacts extends ProjectObserved {
  readonly now: number;
  /** The state of the machine `provisionRetry` after its step in this pass, which precedes this machine's step. */
  readonly retry: ProvisionRetryState;
}
