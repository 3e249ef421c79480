import type { ProvisionRetryState } from '../../machines/names.ts';

/** What one pass knows of a project. The facts are provisional: no controller gathers them yet. */
export interface ProjectReadyFacts {
  /** `metadata.name`. */
  readonly project: string;
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
  /** Why a piece could not be written in this pass; null when none was refused. */
  readonly failure: string | null;
  /** The shared variable whose Secret or key is missing, in words; null when there is none. */
  readonly missingVariable: string | null;
  /** The state the row of counted failures is in after this pass. */
  readonly retry: ProvisionRetryState;
}
