import type { KubeObject } from '../../crds/kind.ts';
import type { Cache } from '../../runtime/cache/cache.ts';
import { type Key, keyOf } from '../../runtime/cache/key.ts';
import type { Place } from './continue.ts';
import { comparePlaces, firstFrom } from './sorted.ts';

/** What orders a list: equal for two versions of an object that stay in the same place. */
export type PlaceOf<T> = (of: T) => Place;

/** By name, as most lists are. */
export const byName: PlaceOf<KubeObject> = ({ metadata: { name, namespace = '' } }) => [name, namespace];

/**
 * The objects of a cache in the order of a list, sorted on the first call and kept so by event: a change of one object
 * moves that one alone. Listeners may hear two changes of one object in the wrong order, so what the cache holds
 * counts, and not the event.
 */
export function orderedIn<O extends KubeObject>(cache: Cache<O>, placeOf: PlaceOf<O>): () => readonly O[] {
  let sorted: O[] | null = null;
  const held = new Map<Key, O>();

  /** Removes what stands at the place of an object, or enters something there. */
  const splice = (objects: O[], at: O, removed: 0 | 1, ...entered: readonly O[]) => {
    const place = placeOf(at);
    const index = firstFrom(objects, (other) => comparePlaces(placeOf(other), place) < 0);
    objects.splice(index, removed, ...entered);
  };

  cache.onChange(({ object }) => {
    if (sorted === null) return;
    const key = keyOf(object);
    const { name, namespace } = object.metadata;
    const [before, after] = [held.get(key), cache.get(name, namespace)];
    if (before === after) return;
    if (before !== undefined) splice(sorted, before, 1);
    if (after === undefined) return void held.delete(key);
    splice(sorted, after, 0, after);
    held.set(key, after);
  });

  return () => {
    if (sorted !== null) return sorted;
    sorted = cache.list().toSorted((one, other) => comparePlaces(placeOf(one), placeOf(other)));
    for (const object of sorted) held.set(keyOf(object), object);
    return sorted;
  };
}
