import type { KubeObject } from '../../crds/kind.ts';
import type { CacheReader } from '../cache/reader.ts';
import type { Resource } from '../services/cluster/cluster.ts';
import type { OwnedObject } from './compare.ts';
import type { Diff } from './diff.ts';

/** The objects owned by a kind: the desired ones are a pure function of the owner and the caches. */
export interface Owning<O extends KubeObject> {
  readonly owners: Resource<O>;
  /** Every kind that may be owned, made by `ownedKind`. */
  readonly resources: readonly Resource[];
  desired(object: O, reader: CacheReader): readonly OwnedObject[];
  /** Whether an undesired object is kept as long as the owner exists. */
  leaves?(owner: O, one: KubeObject): boolean;
}

/** The result of a reconcile, and what remains. */
export interface Outcome {
  /** Whether something was written. */
  readonly did: boolean;
  /** In how many ms to requeue for what remains; null when nothing does, or a change will trigger a pass. */
  readonly requeueAfterMs: number | null;
  readonly left: Diff;
}

/** Whether the owner comes from the cache or from a direct read. */
export type OwnerKnown = 'cached' | 'justRead';

/** When to retry after a stale read. */
export const staleMs = 1_000;
