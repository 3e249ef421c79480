import type { Bucket, Place, Stored } from '../../store.ts';

/** Who belongs to whom, by uid. */
export interface Graph {
  readonly put: (bucket: Bucket, object: Stored) => void;
  readonly drop: (object: Stored) => void;
  readonly lives: (uid: string) => boolean;
  /** Whether an object's owner is there: that of a namespaced one stands in its namespace, or in none. */
  readonly owns: (uid: string, object: Stored) => boolean;
  readonly dependents: (uid: string) => readonly Place[];
}

export const placeIn = (bucket: Bucket, { metadata }: Stored): Place => ({
  bucket,
  namespace: metadata.namespace ?? '',
  name: metadata.name,
});

export function createGraph(): Graph {
  const places = new Map<string, { readonly place: Place; readonly owners: readonly string[] }>();
  const dependents = new Map<string, Set<string>>();

  function unlink(uid: string) {
    for (const owner of places.get(uid)?.owners ?? []) {
      const known = dependents.get(owner);
      known?.delete(uid);
      if (known?.size === 0) dependents.delete(owner);
    }
  }

  return {
    put(bucket, object) {
      const { uid, ownerReferences = [] } = object.metadata;
      unlink(uid);
      const owners = ownerReferences.map((owner) => owner.uid);
      places.set(uid, { place: placeIn(bucket, object), owners });
      for (const owner of owners) {
        const known = dependents.get(owner) ?? new Set();
        dependents.set(owner, known.add(uid));
      }
    },
    drop({ metadata: { uid } }) {
      unlink(uid);
      places.delete(uid);
    },
    lives: (uid) => places.has(uid),
    owns(uid, { metadata: { namespace } }) {
      const owner = places.get(uid)?.place;
      return (
        owner !== undefined && (namespace === undefined || owner.namespace === '' || owner.namespace === namespace)
      );
    },
    dependents: (uid) => [...(dependents.get(uid) ?? [])].flatMap((one) => places.get(one)?.place ?? []),
  };
}
