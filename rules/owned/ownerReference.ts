import { type Kind, type KubeObject, type OwnerReference, typeMeta } from '../../crds/kind.ts';

/** The entry by which the garbage collector deletes an object with its owner. */
export const ownerReference = (kind: Kind, { metadata: { name, uid = '' } }: KubeObject): OwnerReference => ({
  ...typeMeta(kind),
  name,
  uid,
});

/** Adds an owner to the owner references; null when it is already one. The garbage collector drops deleted owners. */
export function withOwner(owned: KubeObject | undefined, owner: OwnerReference): readonly OwnerReference[] | null {
  const owners = owned?.metadata.ownerReferences ?? [];
  if (owners.some(({ uid }) => uid === owner.uid)) return null;
  return [...owners, owner];
}
