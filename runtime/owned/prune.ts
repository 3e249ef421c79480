import { Effect } from 'effect';
import { eachOf } from '../contract/eachOf.ts';
import type { KubeObject } from '../../crds/kind.ts';
import { isDeleting } from '../../rules/deleting.ts';
import { isOf, isOfEarlierOwner, type Owner, ownerOf } from '../../rules/owned/ownedObject.ts';
import { asSeen, Cluster, type Resource } from '../services/cluster/cluster.ts';
import { failedOn, refIn } from '../services/cluster/failedOn.ts';
import { find } from '../services/cluster/find.ts';
import { refKey } from './displayName.ts';
import { type OwnerKnown, staleMs } from './owning.ts';
import type { UndesiredState } from './state.ts';

const isStored = Effect.fnUntraced(function* <O extends KubeObject>(
  owners: Resource<O>,
  { metadata: { name, uid, resourceVersion } }: O,
) {
  const now = yield* find(owners, { name });
  return now?.metadata.uid === uid && now?.metadata.resourceVersion === resourceVersion;
});

interface Pruning {
  readonly deletions: readonly UndesiredState[];
  readonly known: OwnerKnown;
  /** Called for each object that is deleted, by its key and its uid. */
  readonly onGone: (key: string, uid: string) => void;
}

/**
 * Deletes undesired objects in the version that was seen, after a direct read of the owner, because the cached owner
 * may be stale.
 */
export const prune = Effect.fnUntraced(function* <O extends KubeObject>(
  owners: Resource<O>,
  object: O,
  { deletions, known, onGone }: Pruning,
) {
  if (deletions.length === 0) return { did: false, requeueAfterMs: null };
  if (known === 'cached' && !(yield* isStored(owners, object))) return { did: false, requeueAfterMs: staleMs };
  const cluster = yield* Cluster;
  const removals = yield* eachOf(deletions, ({ ref, object: one }) =>
    Effect.as(cluster.remove(ref.resource, one.metadata, asSeen(one)), true).pipe(
      Effect.catchTag('Conflict', () => removeAsStored(ref.resource, one, ownerOf(owners.kind, object))),
      Effect.catchTag('Conflict', () => Effect.succeed(false)),
      Effect.tap((isGone) => Effect.sync(() => isGone && onGone(refKey(ref), one.metadata.uid ?? ''))),
      Effect.mapError(failedOn(refIn(ref.resource, one.metadata))),
    ),
  );
  return { did: removals.includes(true), requeueAfterMs: removals.includes(false) ? staleMs : null };
});

/** Checks the stored object once more, because the cache may have missed a change for minutes. */
const removeAsStored = Effect.fnUntraced(function* (resource: Resource, cached: KubeObject, owner: Owner) {
  const cluster = yield* Cluster;
  const stored = yield* find(resource, cached.metadata);
  if (stored === null || stored.metadata.uid !== cached.metadata.uid) return stored === null;
  if (!isOf(stored, owner) || isOfEarlierOwner(stored, owner) || isDeleting(stored)) return false;
  return yield* Effect.as(cluster.remove(resource, stored.metadata, asSeen(stored)), true);
});
