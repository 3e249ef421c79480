import type { Place } from './continue.ts';

export function comparePlaces(one: Place, other: Place): number {
  for (const [at, part] of one.entries()) {
    const against = other[at];
    if (against === undefined || part === against) continue;
    return part < against ? -1 : 1;
  }
  return 0;
}

/** In the order of a list. */
export const sortedBy = <T>(items: readonly T[], placeOf: (item: T) => Place): readonly T[] =>
  items.toSorted((one, other) => comparePlaces(placeOf(one), placeOf(other)));

/** The index of the first of a sorted list for which `isBefore` does not hold; it holds for a beginning of the list. */
export function firstFrom<T>(items: readonly T[], isBefore: (item: T) => boolean): number {
  let [from, to] = [0, items.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const item = items[middle];
    if (item !== undefined && isBefore(item)) from = middle + 1;
    else to = middle;
  }
  return from;
}
