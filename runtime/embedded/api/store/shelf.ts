import type { Stored } from '../../store.ts';

/** The objects of one bucket in the order of namespace and name. */
export interface Shelf {
  readonly get: (namespace: string, name: string) => Stored | undefined;
  readonly list: (namespace?: string) => readonly Stored[];
  readonly put: (namespace: string, name: string, object: Stored) => void;
  readonly drop: (namespace: string, name: string) => void;
}

const separator = '\0';

export function createShelf(): Shelf {
  const objects = new Map<string, Stored>();
  const keys: string[] = [];
  const keyOf = (namespace: string, name: string) => namespace + separator + name;
  const pick = (from: number, to: number) => keys.slice(from, to).flatMap((key) => objects.get(key) ?? []);

  return {
    get: (namespace, name) => objects.get(keyOf(namespace, name)),
    list: (namespace) =>
      namespace === undefined
        ? pick(0, keys.length)
        : pick(firstAtLeast(keys, namespace + separator), firstAtLeast(keys, namespace + '\u0001')),
    put(namespace, name, object) {
      const key = keyOf(namespace, name);
      if (!objects.has(key)) keys.splice(firstAtLeast(keys, key), 0, key);
      objects.set(key, object);
    },
    drop(namespace, name) {
      const key = keyOf(namespace, name);
      if (objects.delete(key)) keys.splice(firstAtLeast(keys, key), 1);
    },
  };
}

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
