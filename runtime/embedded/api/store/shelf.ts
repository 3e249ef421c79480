import type { Stored } from '../../store.ts';
import { createLabelIndex } from './labelIndex.ts';

/** The objects of one bucket in the order of namespace and name. */
export interface Shelf {
  readonly get: (namespace: string, name: string) => Stored | undefined;
  readonly list: (namespace?: string) => readonly Stored[];
  /** Those of `list` that have one of these values of a label, by an index. */
  readonly labelled: (label: string, values: readonly string[], namespace?: string) => readonly Stored[];
  readonly put: (namespace: string, name: string, object: Stored) => void;
  readonly drop: (namespace: string, name: string) => void;
}

const separator = '\0';

export function createShelf(): Shelf {
  const objects = new Map<string, Stored>();
  const keys: string[] = [];
  const index = createLabelIndex(objects);
  const keyOf = (namespace: string, name: string) => namespace + separator + name;
  const pick = (from: number, to: number) => keys.slice(from, to).flatMap((key) => objects.get(key) ?? []);
  const list = (namespace?: string) =>
    namespace === undefined
      ? pick(0, keys.length)
      : pick(firstAtLeast(keys, namespace + separator), firstAtLeast(keys, namespace + '\u0001'));

  /** Says whether there was an object before. */
  function replace(key: string, after: Stored | null): boolean {
    const before = objects.get(key) ?? null;
    if (after) objects.set(key, after);
    else objects.delete(key);
    index.replace(key, before, after);
    return before !== null;
  }

  return {
    get: (namespace, name) => objects.get(keyOf(namespace, name)),
    list,
    labelled(label, values, namespace) {
      const found = index.keys(label, values);
      // Sorting so many would cost more than a scan of all, which are in order.
      if (found.length * 8 > keys.length)
        return list(namespace).filter(({ metadata }) => values.includes(metadata.labels?.[label] ?? separator));
      return found
        .filter((key) => namespace === undefined || key.startsWith(namespace + separator))
        .toSorted(byCodeUnits)
        .flatMap((key) => objects.get(key) ?? []);
    },
    put(namespace, name, object) {
      const key = keyOf(namespace, name);
      if (!replace(key, object)) keys.splice(firstAtLeast(keys, key), 0, key);
    },
    drop(namespace, name) {
      const key = keyOf(namespace, name);
      if (replace(key, null)) keys.splice(firstAtLeast(keys, key), 1);
    },
  };
}

const byCodeUnits = (a: string, b: string) => (a < b ? -1 : Number(a > b));

function firstAtLeast(sorted: readonly string[], key: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
