import type { KubeObject } from '../../crds/kind.ts';
import type { CacheReader } from '../cache/reader.ts';
import type { Resource } from '../services/cluster/cluster.ts';
import type { OwnedObject } from './compare.ts';
import type { Diff } from './diff.ts';

/** The objects owned by a kind: what should exist is a pure function of the owner and the caches. */
export interface Owning<O extends KubeObject> {
  readonly owners: Resource<O>;
  /** Every kind they may be of, made by `ownedKind`. */
  readonly resources: readonly Resource[];
  desired(object: O, reader: CacheReader): readonly OwnedObject[];
  /** Whether an object is left alone although nothing wants it, as long as the owner exists. */
  leaves?(owner: O, one: KubeObject): boolean;
}

/** What was done, and what is left to do. */
export interface Outcome {
  /** Something was written. */
  readonly did: boolean;
  /**
   * In how many ms to requeue for what is not as it should be; null where nothing is, or a change will trigger a pass.
   */
  readonly requeueAfterMs: number | null;
  readonly left: Diff;
}

/** How the owner is known: from the cache, or by the direct read that precedes an act. */
export type OwnerKnown = 'cached' | 'justRead';

/** The time after which a stale read is no longer stale. */
export const staleMs = 1_000;
