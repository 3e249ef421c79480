import { born, changed, ended, isHeld } from '../../../runtime/embedded/api/store/objects.ts';
import { type Recent, createRecent } from '../../../runtime/embedded/api/store/recent.ts';
import { type Shelf, createShelf } from '../../../runtime/embedded/api/store/shelf.ts';
import { checkPrecondition } from '../../../runtime/embedded/api/store/store.ts';
import { type Json, same } from '../../../runtime/embedded/api/json.ts';
import { alreadyExists, notFound, resourceOf } from '../../../runtime/embedded/api/status.ts';
import type { Bucket, Change, Place, Stored } from '../../../runtime/embedded/store.ts';
import type { Precondition } from '../../../runtime/services/cluster/cluster.ts';

/** Objects in memory under one counter of versions; every write is done when it returns, or throws a StatusError. */
export interface MemoryStore {
  readonly get: (place: Place) => Stored | undefined;
  readonly existing: (place: Place) => Stored;
  readonly list: (bucket: Bucket, namespace?: string) => readonly Stored[];
  readonly buckets: () => readonly Bucket[];
  readonly create: (place: Place, object: Json) => Stored;
  /** A change that leaves the object as it is writes nothing. */
  readonly update: (place: Place, change: (old: Stored) => Stored) => Stored;
  readonly remove: (place: Place, precondition?: Precondition) => Stored;
  readonly revision: () => number;
  /** The changes of a bucket after a version; null when some are no longer known. */
  readonly changesAfter: (bucket: Bucket, revision: number) => readonly Change[] | null;
  /** Forgets the changes so far, as a server does that has compacted its history. */
  readonly forget: () => void;
  /** The same store as it stood some changes of a bucket ago, as far as they are known; for reading only. */
  readonly past: (bucket: Bucket, changes: number) => MemoryStore;
}

/** A store that tells one listener of every change. */
export function memoryStore(now: () => string, tell: (change: Change) => void): MemoryStore {
  const shelves = new Map<Bucket, Shelf>();
  const recents = new Map<Bucket, Recent>();
  let revision = 0;
  let forgotten = 0;

  const shelf = (bucket: Bucket) => {
    const found = shelves.get(bucket) ?? createShelf();
    shelves.set(bucket, found);
    return found;
  };
  const recent = (bucket: Bucket) => {
    const found = recents.get(bucket) ?? createRecent(forgotten);
    recents.set(bucket, found);
    return found;
  };
  const get = ({ bucket, namespace, name }: Place) => shelves.get(bucket)?.get(namespace, name);
  const existing = (place: Place) => {
    const found = get(place);
    if (!found) throw notFound(resourceOf(place.bucket), place.name);
    return found;
  };
  const publish = (type: Change['type'], place: Place, object: Stored, previous?: Stored): Stored => {
    const { bucket, namespace, name } = place;
    const change: Change = { type, bucket, object, ...(previous && { previous }) };
    revision = Number(object.metadata.resourceVersion);
    if (type === 'DELETED') shelf(bucket).drop(namespace, name);
    else shelf(bucket).put(namespace, name, object);
    recent(bucket).add(change, revision, 0);
    tell(change);
    return object;
  };
  const drop = (place: Place, old: Stored) => publish('DELETED', place, ended(old, revision + 1), old);
  const save = (place: Place, old: Stored, next: Stored): Stored => {
    if (same(next, old)) return old;
    if (isHeld(next) || next.metadata.deletionTimestamp === undefined)
      return publish('MODIFIED', place, changed(old, next, revision + 1), old);
    drop(place, old);
    return changed(old, next, Number(old.metadata.resourceVersion));
  };

  const past = (bucket: Bucket, count: number): MemoryStore => {
    const undone = (recent(bucket).after(forgotten) ?? []).toReversed().slice(0, count);
    const before = createShelf();
    const place = ({ metadata }: Stored) => [metadata.namespace ?? '', metadata.name] as const;
    for (const object of shelf(bucket).list()) before.put(...place(object), object);
    for (const { object, previous } of undone) {
      if (previous) before.put(...place(previous), previous);
      else before.drop(...place(object));
    }
    const oldest = undone.at(-1);
    const at = oldest ? Number(oldest.object.metadata.resourceVersion) - 1 : revision;
    return { ...store, list: (_, namespace) => before.list(namespace), revision: () => at };
  };

  const store: MemoryStore = {
    past,
    get,
    existing,
    list: (bucket, namespace) => shelves.get(bucket)?.list(namespace) ?? [],
    buckets: () => [...shelves.keys()],
    create: (place, object) => {
      if (get(place)) throw alreadyExists(resourceOf(place.bucket), place.name);
      const made = born(place, object, revision + 1);
      return publish('ADDED', place, { ...made, metadata: { ...made.metadata, creationTimestamp: now() } });
    },
    update: (place, change) => {
      const old = existing(place);
      return save(place, old, change(old));
    },
    remove: (place, precondition = {}) => {
      const old = existing(place);
      checkPrecondition(place, old, precondition);
      if (!isHeld(old)) return drop(place, old);
      const deletionTimestamp = old.metadata.deletionTimestamp ?? now();
      return save(place, old, {
        ...old,
        metadata: { ...old.metadata, deletionTimestamp, deletionGracePeriodSeconds: 0 },
      });
    },
    revision: () => revision,
    changesAfter: (bucket, after) => recent(bucket).after(after),
    forget: () => {
      forgotten = revision;
      recents.clear();
    },
  };
  return store;
}
