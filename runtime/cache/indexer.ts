import type { KubeObject } from '../../crds/kind.ts';
import { isLater } from '../../rules/version.ts';
import { withoutManagers } from '../owned/appliedFields.ts';
import type { Index } from '../services/cluster.ts';

/** A change of one object. `own` when this process wrote it and noted it before the watch reported it. */
export interface Changed<O extends KubeObject = KubeObject> {
  readonly type: 'added' | 'modified' | 'deleted';
  readonly object: O;
  readonly previous: O | undefined;
  readonly own: boolean;
  /** Part of the first list, so nothing happened just now. */
  readonly initial: boolean;
}

/** Where an object came from: the watch or a later list, this process itself, or the first list. */
export type Origin = 'reported' | 'own' | 'initial';

/** Identifies one object of a resource. */
export type Key = string;

export const keyOf = ({ metadata: { namespace = '', name } }: KubeObject): Key => keyIn(namespace, name);
export const keyIn = (namespace: string, name: string): Key => `${namespace}/${name}`;

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

export function makeIndexer<O extends KubeObject>(declared: readonly Index<O>[]): Indexer<O> {
  const objects = new Map<Key, O>();
  const indexes = new Map(declared.map(({ name }) => [name, new Map<string, Map<Key, O>>()]));
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

  const index = (object: O, isIn: boolean) => {
    for (const one of declared) {
      const values = indexes.get(one.name);
      for (const value of values ? one.keys(object) : []) {
        const those = values?.get(value) ?? new Map<Key, O>();
        if (isIn) those.set(keyOf(object), object);
        else those.delete(keyOf(object));
        if (those.size > 0) values?.set(value, those);
        else values?.delete(value);
      }
    }
  };

  const drop = (previous: O) => {
    objects.delete(keyOf(previous));
    index(previous, false);
    notify({ type: 'deleted', object: previous, previous, own: false, initial: false });
  };

  const put = (object: O, origin: Origin) => {
    const key = keyOf(object);
    const known = objects.get(key);
    if (known && !isLater(versionOf(object), versionOf(known))) return;
    // The object was recreated under its name, and the deletion of the previous one was never reported.
    if (known && known.metadata.uid !== object.metadata.uid) drop(known);
    const previous = objects.get(key);
    const kept = withoutManagers(object);
    if (previous) index(previous, false);
    objects.set(key, kept);
    index(kept, true);
    const type = previous ? 'modified' : 'added';
    notify({ type, object: kept, previous, own: origin === 'own', initial: origin === 'initial' });
  };

  return {
    get: (key) => objects.get(key),
    list: () => [...objects.values()],
    indexed: (name, value) => {
      const values = indexes.get(name);
      if (!values) throw new Error(`no index is called ${name}`);
      return [...(values.get(value)?.values() ?? [])];
    },
    put,
    forget: (key, version) => {
      const known = objects.get(key);
      if (known && !isLater(versionOf(known), version)) drop(known);
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
