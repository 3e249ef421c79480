import type { Json } from '../json.ts';
import type { ApiStore } from './store.ts';

/** What writes are about to store, for those of the same kind that must not take the same. */
export interface UnderWay {
  /** Runs a write; what it counts is under way until it is done. */
  readonly during: <T>(store: ApiStore, write: (count: (object: Json) => void) => Promise<T>) => Promise<T>;
  readonly of: (store: ApiStore) => readonly Json[];
}

export function createUnderWay(): UnderWay {
  const stores = new WeakMap<ApiStore, Set<Json>>();
  return {
    async during(store, write) {
      const waiting = stores.get(store) ?? new Set<Json>();
      stores.set(store, waiting);
      const mine: Json[] = [];
      try {
        return await write((object) => {
          mine.push(object);
          waiting.add(object);
        });
      } finally {
        for (const one of mine) waiting.delete(one);
      }
    },
    of: (store) => [...(stores.get(store) ?? [])],
  };
}
