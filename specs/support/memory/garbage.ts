import { createGraph, placeIn } from '../../../runtime/embedded/api/garbage/graph.ts';
import { jsonAt, listAt } from '../../../runtime/embedded/api/json.ts';
import type { Change, Place, Stored } from '../../../runtime/embedded/store.ts';
import type { MemoryStore } from './store.ts';

/** Deletes what lost its owners or its namespace, when it is told to. */
export interface Garbage {
  readonly hear: (change: Change) => void;
  readonly collect: () => void;
}

const keyOf = ({ bucket, namespace, name }: Place) => `${bucket}\0${namespace}\0${name}`;

/** Collects in rounds: each sees what the one before it left, and goes for all of it at once. */
export function memoryGarbage(store: () => MemoryStore): Garbage {
  const graph = createGraph();
  const waiting = new Map<string, Place>();
  const enqueue = (place: Place) => void waiting.set(keyOf(place), place);
  const livingOwners = ({ metadata }: Stored) => (metadata.ownerReferences ?? []).filter(({ uid }) => graph.lives(uid));

  /** What is to be done for an object, as things stand now. */
  const dueFor = (place: Place): (() => void) => {
    const object = store().get(place);
    if (!object) return () => {};
    if (object.metadata.deletionTimestamp !== undefined)
      return place.bucket === '/namespaces' ? () => empty(place, object) : () => {};
    const living = livingOwners(object);
    if (living.length === (object.metadata.ownerReferences ?? []).length) return () => {};
    if (living.length === 0) return () => void store().remove(place);
    return () =>
      void store().update(place, (now) => ({ ...now, metadata: { ...now.metadata, ownerReferences: living } }));
  };

  const contentOf = (namespace: string) =>
    store()
      .buckets()
      .flatMap((bucket) =>
        store()
          .list(bucket, namespace)
          .map((object) => placeIn(bucket, object)),
      );

  const empty = (place: Place, namespace: Stored) => {
    store().update(place, (now) => ({ ...now, status: { ...jsonAt(now, 'status'), phase: 'Terminating' } }));
    for (const content of contentOf(place.name)) store().remove(content);
    if (contentOf(place.name).length === 0 && listAt(namespace, 'spec', 'finalizers').length > 0)
      store().update(place, (now) => ({ ...now, spec: { finalizers: [] } }));
  };

  return {
    hear: ({ type, bucket, object }) => {
      const { namespace, deletionTimestamp, ownerReferences = [], uid } = object.metadata;
      if (type === 'DELETED') {
        graph.drop(object);
        graph.dependents(uid).forEach(enqueue);
        const home = { bucket: '/namespaces', namespace: '', name: namespace ?? '' };
        if (store().get(home)?.metadata.deletionTimestamp !== undefined) enqueue(home);
        return;
      }
      graph.put(bucket, object);
      const isOrphan = ownerReferences.some((owner) => !graph.lives(owner.uid));
      if (deletionTimestamp !== undefined || isOrphan) enqueue(placeIn(bucket, object));
    },
    collect: () => {
      while (waiting.size > 0) {
        const due = [...waiting.values()].map(dueFor);
        waiting.clear();
        for (const act of due) act();
      }
    },
  };
}
