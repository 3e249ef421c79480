import type { KubeObject } from '../../crds/kind.ts';
import type { Cache } from '../../runtime/cache/cache.ts';
import type { Place } from './continue.ts';
import { followed } from './followed.ts';
import { comparePlaces, firstFrom, sortedBy } from './sorted.ts';

/** What orders a list: the same for two versions of an object that stay in one place, and different for two objects. */
export type PlaceOf<T> = (of: T) => Place;

/** By name, as most lists are. */
export const byName: PlaceOf<KubeObject> = ({ metadata: { name, namespace = '' } }) => [name, namespace];

type Sorted<O> = () => readonly O[];
const kept = new WeakMap<object, Map<unknown, unknown>>();

/** The objects of a cache in the order of a list; once for all lists of that order. */
export function orderedIn<O extends KubeObject>(cache: Cache<O>, placeOf: PlaceOf<O>): Sorted<O> {
  const orders = kept.get(cache) ?? new Map<unknown, unknown>();
  const sorted = (orders.get(placeOf) ?? sortedIn(cache, placeOf)) as Sorted<O>;
  kept.set(cache, orders.set(placeOf, sorted));
  return sorted;
}

/** Sorted on the first call; a change of one object moves that one alone. */
function sortedIn<O extends KubeObject>(cache: Cache<O>, placeOf: PlaceOf<O>): Sorted<O> {
  let sorted: O[] = [];
  const indexOf = (object: O): number => {
    const place = placeOf(object);
    return firstFrom(sorted, (other) => comparePlaces(placeOf(other), place) < 0);
  };
  const follow = followed(cache, {
    begin: (objects) => {
      sorted = [...sortedBy(objects, placeOf)];
    },
    leave: (object) => void sorted.splice(indexOf(object), 1),
    enter: (object) => void sorted.splice(indexOf(object), 0, object),
  });
  return () => {
    follow();
    return sorted;
  };
}
