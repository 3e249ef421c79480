import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Change, Place, Store, Stored } from '../../../../runtime/embedded/store.ts';

/** A store in memory: as little of the interface as the simulated nodes need, each write a moment later. */
export interface MemoryStore extends Store {
  /** Called before each write; throws to refuse it. */
  gate: () => void;
  writes: number;
}

const keyOf = ({ namespace, name }: Omit<Place, 'bucket'>) => `${namespace}/${name}`;

export function memoryStore(now: () => number): MemoryStore {
  const buckets = new Map<string, Map<string, Stored>>();
  const inBucket = (bucket: string) => {
    const objects = buckets.get(bucket) ?? new Map<string, Stored>();
    buckets.set(bucket, objects);
    return objects;
  };
  const listeners = new Set<(change: Change) => void>();
  let revision = 0;

  async function written(place: Place, make: (old: Stored | undefined) => readonly [Change['type'], Stored] | Stored) {
    await Promise.resolve();
    store.gate();
    const objects = inBucket(place.bucket);
    const old = objects.get(keyOf(place));
    const made = make(old);
    if (!Array.isArray(made)) return made as Stored;
    const [type, object] = made as readonly [Change['type'], Stored];
    revision += 1;
    store.writes += 1;
    const stored = structuredClone({
      ...object,
      metadata: { ...object.metadata, resourceVersion: String(revision) },
    }) as Stored;
    if (type === 'DELETED') objects.delete(keyOf(place));
    else objects.set(keyOf(place), stored);
    for (const listener of listeners)
      listener({ type, bucket: place.bucket, object: stored, ...(old && { previous: old }) });
    return stored;
  }

  const absent = (place: Place) => new Error(`404: ${place.bucket} ${place.name}`);
  const store: MemoryStore = {
    gate: () => {},
    writes: 0,
    get: (place) => inBucket(place.bucket).get(keyOf(place)),
    list: (bucket, namespace) =>
      [...inBucket(bucket)]
        .filter(([key]) => namespace === undefined || key.startsWith(`${namespace}/`))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, object]) => object),
    create: (place, object) =>
      written(place, (old) => {
        if (old) throw new Error(`409: ${place.name} is there`);
        const given = object as Stored;
        const { name, namespace } = place;
        const creationTimestamp = new Date(now()).toISOString();
        const metadata = { ...given.metadata, name, namespace, uid: randomUUID(), creationTimestamp };
        return ['ADDED', { ...given, metadata }];
      }),
    update: (place, change) =>
      written(place, (old) => {
        if (!old) throw absent(place);
        const next = change(old);
        return next === old || isDeepStrictEqual(next, old) ? old : ['MODIFIED', next];
      }),
    remove: (place, precondition) =>
      written(place, (old) => {
        if (!old) throw absent(place);
        if (precondition?.uid !== undefined && precondition.uid !== old.metadata.uid) throw new Error('409: other uid');
        if ((old.metadata.finalizers ?? []).length === 0) return ['DELETED', old];
        const deletionTimestamp = new Date(now()).toISOString();
        return ['MODIFIED', { ...old, metadata: { ...old.metadata, deletionTimestamp } }];
      }),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return store;
}
