import { Effect } from 'effect';
import { eachOf } from '../contract/eachOf.ts';
import type { KubeObject } from '../../crds/kind.ts';
import { annotation } from '../../crds/names.ts';
import { isDeleting } from '../../rules/deleting.ts';
import { isControlled, isOf, isOfEarlierOwner, ownerOf, ownLabels } from '../../rules/owned/ownedObject.ts';
import type { CacheReader } from '../cache/reader.ts';
import { asSeen, Cluster, isUndefined } from '../services/cluster/cluster.ts';
import { displayName, refOf } from './displayName.ts';
import { ownedBy } from './kinds.ts';
import type { Owning } from './owning.ts';

/** Lists the existing objects of an owner by direct reads. */
export const remainingOf = Effect.fnUntraced(function* <O extends KubeObject>(owning: Owning<O>, object: O) {
  const cluster = yield* Cluster;
  const owner = ownerOf(owning.owners.kind, object);
  const labelSelector = Object.entries(ownLabels(owner))
    .map((pair) => pair.join('='))
    .join(',');
  const left: string[] = [];
  for (const resource of owning.resources) {
    const listed = cluster.list(resource, { namespace: 'all', labelSelector });
    const { items } = yield* listed.pipe(Effect.catchIf(isUndefined, () => Effect.succeed({ items: [] })));
    const own = items.filter(
      (one) => isOf(one, owner) && !isOfEarlierOwner(one, owner) && !isControlled(one, owner.uid),
    );
    left.push(
      ...own.filter((one) => owning.leaves?.(object, one) !== true).map((one) => displayName(refOf(resource, one))),
    );
  }
  return left;
});

/** Deletes late leftovers of an object that was deleted during this process. */
export const sweepLeftovers = Effect.fnUntraced(function* <O extends KubeObject>(
  { owners: { kind }, resources }: Owning<O>,
  name: string,
  { reader, hasEnded }: { readonly reader: CacheReader; readonly hasEnded: (uid: string) => boolean },
) {
  const cluster = yield* Cluster;
  const isLate = (object: KubeObject) => {
    const uid = object.metadata.annotations?.[annotation.ownerUid] ?? '';
    return !isDeleting(object) && !isControlled(object, uid) && hasEnded(uid);
  };
  const late = resources.flatMap((resource) =>
    reader.indexed(resource, ...ownedBy(kind, name)).map((object) => ({ resource, object })),
  );
  yield* eachOf(
    late.filter(({ object }) => isLate(object)),
    ({ resource, object }) =>
      cluster.remove(resource, object.metadata, asSeen(object)).pipe(Effect.catchTag('Conflict', () => Effect.void)),
  );
});
