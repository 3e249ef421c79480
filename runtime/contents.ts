import type { KubeObject } from '../crds/kind.ts';
import { isLater } from '../rules/version.ts';

/** What became of one object. `own` when this process wrote it itself and knew before the watch told. */
export interface Changed<O extends KubeObject = KubeObject> {
  readonly type: 'added' | 'modified' | 'deleted';
  readonly object: O;
  readonly previous: O | undefined;
  readonly own: boolean;
  /** Part of the first list: nothing happened just now. */
  readonly initial: boolean;
}

/** How an object came to be known. */
export type Origin = 'told' | 'own' | 'initial';

/** The newest version known of each object, found by name and by label; tells what becomes of them. */
export interface Contents<O extends KubeObject> {
  readonly get: (name: string) => O | undefined;
  readonly list: () => readonly O[];
  readonly labelled: (label: string, value: string) => readonly O[];
  /** Enters an object, unless a later version of it is known. */
  readonly put: (object: O, origin: Origin) => void;
  /** Forgets an object that was deleted at a version, unless a later one of it is known. */
  readonly forget: (name: string, version: string) => void;
  /** Returns the unsubscriber. */
  readonly onChange: (listener: (changed: Changed<O>) => void) => () => void;
}

export const versionOf = (object: KubeObject): string => object.metadata.resourceVersion ?? '0';

const withoutManagedFields = <O extends KubeObject>(object: O): O => {
  const { managedFields: _, ...metadata } = object.metadata as O['metadata'] & { readonly managedFields?: unknown };
  return { ...object, metadata };
};

export function makeContents<O extends KubeObject>(labels: readonly string[]): Contents<O> {
  const objects = new Map<string, O>();
  const indexes = new Map(labels.map((label) => [label, new Map<string, Map<string, O>>()]));
  const listeners = new Set<(changed: Changed<O>) => void>();

  /** A listener that breaks its promise is no reason to leave the others untold. */
  const tell = (changed: Changed<O>) => {
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
    for (const [label, values] of indexes) {
      const value = object.metadata.labels?.[label];
      if (value === undefined) continue;
      const those = values.get(value) ?? new Map<string, O>();
      if (isIn) those.set(object.metadata.name, object);
      else those.delete(object.metadata.name);
      if (those.size > 0) values.set(value, those);
      else values.delete(value);
    }
  };

  const drop = (previous: O) => {
    objects.delete(previous.metadata.name);
    index(previous, false);
    tell({ type: 'deleted', object: previous, previous, own: false, initial: false });
  };

  const put = (object: O, origin: Origin) => {
    const { name, uid } = object.metadata;
    const known = objects.get(name);
    if (known && !isLater(versionOf(object), versionOf(known))) return;
    // Made anew under its name: that the one before was deleted nobody told.
    if (known && known.metadata.uid !== uid) drop(known);
    const previous = objects.get(name);
    const kept = withoutManagedFields(object);
    if (previous) index(previous, false);
    objects.set(name, kept);
    index(kept, true);
    const type = previous ? 'modified' : 'added';
    tell({ type, object: kept, previous, own: origin === 'own', initial: origin === 'initial' });
  };

  return {
    get: (name) => objects.get(name),
    list: () => [...objects.values()],
    labelled: (label, value) => [...(indexes.get(label)?.get(value)?.values() ?? [])],
    put,
    forget: (name, version) => {
      const known = objects.get(name);
      if (known && !isLater(versionOf(known), version)) drop(known);
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
