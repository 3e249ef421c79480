import type { ProvisionRetryState } from '../../machines/names.ts';
import type { Fact } from '../fact.ts';
import type { NamespaceSeen } from '../project/namespace.ts';
import type { Counts } from '../verdict.ts';

/** What is found of a project and around it, whatever its machines say. */
export interface ProjectSurroundings {
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
  /** The namespaces of the environments; asked for where one of them is not cached, for it may stand all the same. */
  readonly namespaces: Fact<readonly NamespaceSeen[]>;
  /** What is absent from the namespaces or not what it should be: policies, the operator's binding, variables. */
  readonly missingPieces: readonly string[];
  /** What another manager takes back again and again, in words. */
  readonly contested: readonly string[];
  /** Why the act of this pass failed; null when it did not. */
  readonly failure: { readonly counts: Counts; readonly why: string } | null;
  /** The shared variable whose Secret or key is missing, in words; null when there is none. */
  readonly missingVariable: string | null;
}

/** What one pass knows of a project. */
export interface ProjectReadyFacts extends ProjectSurroundings {
  readonly now: number;
  /** The state that the machine `provisionRetry` came to before this one stepped. */
  readonly retry: ProvisionRetryState;
}
