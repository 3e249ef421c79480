import type { ProvisionRetryState } from '../../machines/names.ts';

/** What one pass knows of a project. */
export interface ProjectReadyFacts {
  /** `metadata.name`. */
  readonly project: string;
  /** `metadata.deletionTimestamp` is set. */
  readonly deleted: boolean;
  /** `spec.environments`, as written. */
  readonly environments: readonly string[];
  /** `spec.clusterRef.name`. */
  readonly clusterRef: string;
  /** `status.clusterRef`; empty before the first success. */
  readonly observedClusterRef: string;
  readonly cluster: 'absent' | 'notReady' | 'ready';
  /** Namespaces of the environments that are labelled for another project. */
  readonly takenNamespaces: readonly string[];
  /** Namespaces, policies and variables that are absent or not what they should be, as `<namespace>/<name>`. */
  readonly missingPieces: readonly string[];
  /** Why the act of this pass failed; null when it did not. */
  readonly failure: string | null;
  /** The shared variable whose Secret or key is missing, in words; null when there is none. */
  readonly missingVariable: string | null;
  /** The state that the machine `provisionRetry` came to before this one stepped. */
  readonly retry: ProvisionRetryState;
}
