import type { Store } from '../store.ts';
import { type Pod, bucket, controllerOf, placeOf } from './shapes.ts';

/** The pods of each owner, found without looking through all pods. */
export interface Owned {
  readonly of: (ownerUid: string) => readonly Pod[];
  readonly put: (pod: Pod) => void;
  readonly drop: (pod: Pod) => void;
}

export function createOwned(store: Store): Owned {
  const byOwner = new Map<string, Map<string, Pod>>();
  const current = (pod: Pod): readonly Pod[] => {
    const found = store.get(placeOf(bucket.pods, pod)) as Pod | undefined;
    return found?.metadata.uid === pod.metadata.uid ? [found] : [];
  };
  return {
    of: (ownerUid) => [...(byOwner.get(ownerUid)?.values() ?? [])].flatMap(current),
    put(pod) {
      const owner = controllerOf(pod)?.uid;
      if (owner === undefined) return;
      const pods = byOwner.get(owner) ?? new Map<string, Pod>();
      byOwner.set(owner, pods.set(pod.metadata.uid, pod));
    },
    drop(pod) {
      const owner = controllerOf(pod)?.uid;
      if (owner === undefined) return;
      const pods = byOwner.get(owner);
      pods?.delete(pod.metadata.uid);
      if (pods?.size === 0) byOwner.delete(owner);
    },
  };
}
