import type { Store, Stored } from '../store.ts';
import { type LabelSelector, selects } from '../nodes/expression.ts';
import { controllerOf, placeOf } from '../nodes/shapes.ts';

interface Owner {
  readonly object: Stored;
  readonly selector: LabelSelector | undefined;
}

/** A reference that makes an object the controller of another. */
export const controlledBy = ({ apiVersion, kind, metadata: { name, uid } }: Stored) => ({
  apiVersion,
  kind,
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
});

/** The objects that an owner controls: those selected without a controller are adopted, those no longer selected go. */
export async function claim<T extends Stored>(
  store: Store,
  { object: owner, selector }: Owner,
  where: string,
  candidates: readonly T[],
): Promise<readonly T[]> {
  const claimed: T[] = [];
  const leaving = owner.metadata.deletionTimestamp !== undefined;
  for (const object of candidates) {
    const controller = controllerOf(object);
    const selected = selects(selector, object.metadata.labels);
    if (controller && controller.uid !== owner.metadata.uid) continue;
    if (controller && (selected || leaving)) claimed.push(object);
    else if (controller) await release(store, owner, where, object);
    else if (selected && !leaving && object.metadata.deletionTimestamp === undefined)
      claimed.push((await adopt(store, owner, where, object)) as T);
  }
  return claimed;
}

const adopt = (store: Store, owner: Stored, where: string, object: Stored) =>
  store.update(placeOf(where, object), (old) =>
    old.metadata.uid !== object.metadata.uid || controllerOf(old)
      ? old
      : withOwners(old, [...(old.metadata.ownerReferences ?? []), controlledBy(owner)]),
  );

const release = (store: Store, owner: Stored, where: string, object: Stored) =>
  store.update(placeOf(where, object), (old) =>
    withOwners(
      old,
      (old.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== owner.metadata.uid),
    ),
  );

function withOwners(object: Stored, owners: NonNullable<Stored['metadata']['ownerReferences']>): Stored {
  const { ownerReferences: _, ...metadata } = object.metadata;
  return { ...object, metadata: { ...metadata, ...(owners.length > 0 && { ownerReferences: owners }) } };
}
