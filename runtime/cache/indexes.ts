import type { KubeObject } from '../../crds/kind.ts';
import type { Index } from '../services/cluster/cluster.ts';
import { type Key, keyOf } from './key.ts';

/** Finds objects by the values of the declared indexes. */
export interface Indexes<O extends KubeObject> {
  /** Enters an object in place of the known version. */
  readonly put: (object: O, previous: O | undefined) => void;
  readonly drop: (object: O) => void;
  readonly find: (index: string, value: string) => readonly O[];
}

export function makeIndexes<O extends KubeObject>(declared: readonly Index<O>[]): Indexes<O> {
  const indexes = new Map(declared.map(({ name }) => [name, new Map<string, Map<Key, O>>()]));
  /** Kept, because the values are needed again for removal. */
  const entered = new WeakMap<O, readonly (readonly string[])[]>();

  const valuesOf = (object: O) => {
    const values = entered.get(object) ?? declared.map((index) => index.keys(object));
    entered.set(object, values);
    return values;
  };

  const enter = (object: O, isIn: boolean) => {
    const under = valuesOf(object);
    for (const [at, { name }] of declared.entries()) {
      const values = indexes.get(name);
      for (const value of under[at] ?? []) {
        const those = values?.get(value) ?? new Map<Key, O>();
        if (isIn) those.set(keyOf(object), object);
        else those.delete(keyOf(object));
        if (those.size > 0) values?.set(value, those);
        else values?.delete(value);
      }
    }
  };

  return {
    put: (object, previous) => {
      if (previous) enter(previous, false);
      enter(object, true);
    },
    drop: (object) => enter(object, false),
    find: (name, value) => {
      const values = indexes.get(name);
      if (!values) throw new Error(`no index is called ${name}`);
      return [...(values.get(value)?.values() ?? [])];
    },
  };
}
