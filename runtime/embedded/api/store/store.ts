import { BadData } from '../../badData.ts';
import { fromBackup } from '../../keptFile.ts';
import type { Bucket, Change, Place, Store, Stored } from '../../store.ts';
import type { Log } from '../../surroundings.ts';
import { traceOf } from '../../thrown.ts';
import { isJson, listAt, same, textAt, wordOf } from '../json.ts';
import { shareSets } from '../managedFields/shared.ts';
import { StatusError, alreadyExists, conflict, noStorage, notFound, resourceOf } from '../status.ts';
import type { Disk, Entry } from './disk.ts';
import { type Batch, type Written, createPipeline } from './pipeline.ts';
import { born, changed, ended, ending, isHeld } from './objects.ts';
import { type Recent, createRecent } from './recent.ts';
import { type Shelf, createShelf } from './shelf.ts';
import { createTexts } from './texts.ts';

/** The store with what only the API needs of it. */
export interface ApiStore extends Store {
  /** The resourceVersion of the newest change that readers can see. */
  readonly revision: () => number;
  readonly buckets: () => readonly Bucket[];
  /** Those of `list` that have one of these values of a label, by an index. */
  readonly labelled: (
    bucket: Bucket,
    label: string,
    values: readonly string[],
    namespace?: string,
  ) => readonly Stored[];
  /** The changes of a bucket after a resourceVersion; null when some are no longer kept. */
  readonly changesAfter: (bucket: Bucket, revision: number) => readonly Change[] | null;
  /** The JSON text of an object, not made again for some time. */
  readonly text: (object: Stored) => string;
  /** Waits for the writes under way, then closes the disk. */
  readonly close: () => Promise<void>;
}

const largestObject = 1.5 * 1024 * 1024;

function readStored(place: Place, text: string, revision: number): Stored {
  const object = jsonOf(text);
  if (isStoredAt(place, object, revision)) {
    shareSets(listAt(object, 'metadata', 'managedFields'));
    return object;
  }
  const name = `${place.bucket}/${place.namespace}/${place.name}`;
  throw new BadData(`objects.mdb is damaged: the object ${name} cannot be read; ${fromBackup}`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether this is the object of that place, in a version that was given out. */
function isStoredAt(place: Place, object: unknown, revision: number): object is Stored {
  if (!isJson(object)) return false;
  const [name, namespace, uid] = ['name', 'namespace', 'uid'].map((field) => textAt(object, 'metadata', field));
  const version = Number(textAt(object, 'metadata', 'resourceVersion') || 'none');
  return name === place.name && namespace === place.namespace && uid !== '' && version >= 0 && version <= revision;
}

/** Keeps the last state in memory; what arrives while one batch is committed becomes the next batch. */
export function createStore(disk: Disk, log: Log): ApiStore {
  const shelves = new Map<Bucket, Shelf>();
  const recents = new Map<Bucket, Recent>();
  const texts = createTexts();
  const listeners = new Set<(change: Change) => void>();
  const startedAt = disk.revision;
  let revision = startedAt;
  let closed = false;

  for (const { place, text } of disk.load())
    shelf(place.bucket).put(place.namespace, place.name, readStored(place, text, startedAt));

  function shelf(bucket: Bucket): Shelf {
    const found = shelves.get(bucket) ?? createShelf();
    shelves.set(bucket, found);
    return found;
  }

  function recent(bucket: Bucket): Recent {
    const found = recents.get(bucket) ?? createRecent(startedAt);
    recents.set(bucket, found);
    return found;
  }

  const get = ({ bucket, namespace, name }: Place) => shelves.get(bucket)?.get(namespace, name);

  const pipeline = createPipeline({
    revision: () => revision,
    get,
    commit: (writes) => disk.write(writes.map(entryOf), newestOf(writes)),
    publish(writes) {
      revision = newestOf(writes);
      writes.forEach(publish);
      for (const { change } of writes) for (const listener of listeners) hear(listener, change);
    },
    refusal: (failure) => noStorage(failure instanceof Error ? failure.message : wordOf(failure)),
  });

  const enqueue = (run: (batch: Batch) => Stored) =>
    closed ? Promise.reject(noStorage('the store is closed')) : pipeline.add(run);

  const newestOf = (writes: readonly Written[]) => writes.at(-1)?.revision ?? revision;

  function write(batch: Batch, place: Place, change: Omit<Change, 'bucket'>): Stored {
    if (change.type !== 'DELETED' && texts.of(change.object).length > largestObject)
      throw new StatusError(413, 'RequestEntityTooLarge', `the object is larger than ${largestObject} bytes`);
    batch.write({ ...change, bucket: place.bucket }, place);
    return change.object;
  }

  const entryOf = ({ change, place }: Written): Entry => ({
    place,
    text: change.type === 'DELETED' ? null : texts.of(change.object),
  });

  /** One listener that fails keeps neither the others nor the writers waiting. */
  function hear(listener: (change: Change) => void, change: Change) {
    try {
      listener(change);
    } catch (why) {
      const { name, namespace } = change.object.metadata;
      const about = { bucket: change.bucket, namespace, name, cause: traceOf(why) };
      log('error', 'a listener of the store failed', about);
    }
  }

  function publish({ change, place: { bucket, namespace, name }, revision: at }: Written) {
    if (change.type === 'DELETED') shelf(bucket).drop(namespace, name);
    else shelf(bucket).put(namespace, name, change.object);
    recent(bucket).add(change, at, texts.of(change.object).length);
    if (change.previous) texts.forget(change.previous);
  }

  function save(batch: Batch, place: Place, old: Stored, next: Stored): Stored {
    if (next === old || same(next, old)) return old;
    if (isHeld(next) || next.metadata.deletionTimestamp === undefined)
      return write(batch, place, {
        type: 'MODIFIED',
        object: changed(old, next, batch.nextRevision()),
        previous: old,
      });
    drop(batch, place, old);
    // What took the last finalizer away was stored by nobody: it has the version it was made from.
    return changed(old, next, Number(old.metadata.resourceVersion));
  }

  function drop(batch: Batch, place: Place, old: Stored): Stored {
    return write(batch, place, { type: 'DELETED', object: ended(old, batch.nextRevision()), previous: old });
  }

  function existing(batch: Batch, place: Place): Stored {
    const found = batch.read(place);
    if (!found) throw notFound(resourceOf(place.bucket), place.name);
    return found;
  }

  return {
    get,
    list: (bucket, namespace) => shelves.get(bucket)?.list(namespace) ?? [],
    create: (place, object) =>
      enqueue((batch) => {
        if (batch.read(place)) throw alreadyExists(resourceOf(place.bucket), place.name);
        const whole = born(place, isJson(object) ? object : {}, batch.nextRevision());
        return write(batch, place, { type: 'ADDED', object: whole });
      }),
    update: (place, change) =>
      enqueue((batch) => {
        const old = existing(batch, place);
        return save(batch, place, old, change(old));
      }),
    remove: (place, precondition = {}) =>
      enqueue((batch) => {
        const old = existing(batch, place);
        checkPrecondition(place, old, precondition);
        if (!isHeld(old)) return drop(batch, place, old);
        if (old.metadata.deletionTimestamp !== undefined) return old;
        return save(batch, place, old, ending(old));
      }),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    revision: () => revision,
    buckets: () => [...shelves.keys()],
    labelled: (bucket, label, values, namespace) => shelves.get(bucket)?.labelled(label, values, namespace) ?? [],
    changesAfter: (bucket, after) => recent(bucket).after(after),
    text: texts.of,
    async close() {
      closed = true;
      await pipeline.ended();
      await disk.close();
    },
  };
}

/** Refuses with 409 when the object is not the one that was meant. */
export function checkPrecondition(
  { bucket, name }: Place,
  object: Stored,
  { uid, resourceVersion }: { readonly uid?: string; readonly resourceVersion?: string },
): void {
  const refuse = (what: 'UID' | 'ResourceVersion', asked: string, found: string) =>
    conflict(
      { group: resourceOf(bucket).group, plural: object.kind },
      name,
      `the ${what} in the precondition (${asked}) does not match the ${what} in record (${found}). ${since[what]}`,
    );
  if (uid !== undefined && uid !== object.metadata.uid) throw refuse('UID', uid, object.metadata.uid);
  if (resourceVersion !== undefined && resourceVersion !== object.metadata.resourceVersion)
    throw refuse('ResourceVersion', resourceVersion, object.metadata.resourceVersion);
}

const since = {
  UID: 'The object might have been deleted and then recreated',
  ResourceVersion: 'The object might have been modified',
};
