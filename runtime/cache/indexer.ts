import type { KubeObject } from '../../crds/kind.ts';
import { isLater } from '../../rules/version.ts';
import { withoutManagers } from './appliedFields.ts';
import type { Index } from '../services/cluster/cluster.ts';
import { makeIndexes } from './indexes.ts';
import { type Key, keyOf } from './key.ts';
import { sharing } from './sharing.ts';

/** A change of one object. `own` when this process wrote it and noted it before the watch reported it. */
export interface Changed<O extends KubeObject = KubeObject> {
  readonly type: 'added' | 'modified' | 'deleted';
  readonly object: O;
  readonly previous: O | undefined;
  readonly own: boolean;
  /** Part of the first list, so not a change. */
  readonly initial: boolean;
}

/** Where an object came from: the watch or a later list, this process itself, or the first list. */
export type Origin = 'reported' | 'own' | 'initial';

/** The newest known version of each object, by namespace and name and by index; notifies listeners of changes. */
export interface Indexer<O extends KubeObject> {
  readonly get: (key: Key) => O | undefined;
  readonly list: () => readonly O[];
  readonly indexed: (index: string, value: string) => readonly O[];
  /** Stores an object, unless a later version of it is known. */
  readonly put: (object: O, origin: Origin) => void;
  /** Removes an object that was deleted at a version, unless a later version of it is known. */
  readonly forget: (key: Key, version: string) => void;
  /** Returns the unsubscriber. */
  readonly onChange: (listener: (changed: Changed<O>) => void) => () => void;
}

export const versionOf = (object: KubeObject): string => object.metadata.resourceVersion ?? '0';

/** Whether an object is a later version than the known one. */
export const supersedes = (object: KubeObject, known: KubeObject): boolean =>
  isLater(versionOf(object), versionOf(known));

/** Whether a deletion at a version is of the known object, not of an earlier one of the name. */
export const isEndedBy = (known: KubeObject, deletedAt: string): boolean => !isLater(versionOf(known), deletedAt);

/** Removes the objects that a list at a version no longer contains. */
export function forgetAllBut<O extends KubeObject>(
  indexer: Indexer<O>,
  shown: ReadonlySet<Key>,
  version: string,
): void {
  for (const key of indexer.list().map(keyOf)) if (!shown.has(key)) indexer.forget(key, version);
}

/** Enters a watch event, unless a list has already covered its version. */
export function enterChange<O extends KubeObject>(
  indexer: Indexer<O>,
  { type, object }: { readonly type: 'added' | 'modified' | 'deleted'; readonly object: O },
  listed: string,
): void {
  const version = versionOf(object);
  if (!isLater(version, listed)) return;
  if (type === 'deleted') indexer.forget(keyOf(object), version);
  else indexer.put(object, 'reported');
}

export function makeIndexer<O extends KubeObject>(declared: readonly Index<O>[]): Indexer<O> {
  const objects = new Map<Key, O>();
  const indexes = makeIndexes(declared);
  const listeners = new Set<(changed: Changed<O>) => void>();

  /** A listener that throws must not keep the others from being notified. */
  const notify = (changed: Changed<O>) => {
    const thrown: unknown[] = [];
    for (const listener of listeners)
      try {
        listener(changed);
      } catch (defect) {
        thrown.push(defect);
      }
    if (thrown.length > 0) throw thrown[0];
  };

  const drop = (previous: O) => {
    objects.delete(keyOf(previous));
    indexes.drop(previous);
    notify({ type: 'deleted', object: previous, previous, own: false, initial: false });
  };

  const put = (object: O, origin: Origin) => {
    const key = keyOf(object);
    const known = objects.get(key);
    if (known && !supersedes(object, known)) return;
    // The object was recreated under its name, and the deletion of the previous one was never reported.
    if (known && known.metadata.uid !== object.metadata.uid) drop(known);
    const previous = objects.get(key);
    const kept = sharing(withoutManagers(object), previous);
    objects.set(key, kept);
    indexes.put(kept, previous);
    const type = previous ? 'modified' : 'added';
    notify({ type, object: kept, previous, own: origin === 'own', initial: origin === 'initial' });
  };

  return {
    get: (key) => objects.get(key),
    list: () => [...objects.values()],
    indexed: indexes.find,
    put,
    forget: (key, version) => {
      const known = objects.get(key);
      if (known && isEndedBy(known, version)) drop(known);
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
