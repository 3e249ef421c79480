import type { Place } from './continue.ts';
import { comparePlaces, firstFrom } from './sorted.ts';

/** A list in its order, of which a caller asks for some. */
export interface List<T> {
  /** The items after a place, or all. */
  readonly from: (after: Place | null) => Iterable<T>;
  readonly placeOf: (item: T) => Place;
  /** Whether the caller asked for it and may see it. */
  readonly isIn: (item: T) => boolean;
}

/** The requested part of a list. */
export interface PageRequest {
  readonly after: Place | null;
  readonly limit: number;
  /** Whether those are counted that come after the page. */
  readonly counts?: boolean;
}

/** The items of a page, and the place of its last one where more follow. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly end: Place | null;
  /** How many come after it, where they are counted. */
  readonly remaining: number;
}

/** Takes a page of a list. Items deleted since the previous page are missing, new ones are in their place. */
export function pageOf<T>({ from, placeOf, isIn }: List<T>, { after, limit, counts = false }: PageRequest): Page<T> {
  const items: T[] = [];
  let [end, remaining]: [Place | null, number] = [null, 0];
  for (const item of from(after)) {
    if (!isIn(item)) continue;
    const last = items.at(-1);
    if (items.length < limit || last === undefined) items.push(item);
    else {
      end ??= placeOf(last);
      remaining += 1;
      if (!counts) break;
    }
  }
  return { items, end, remaining };
}

/** Those of a sorted list that come after a place. */
export function* sortedFrom<T>(items: readonly T[], placeOf: (item: T) => Place, after: Place | null): Iterable<T> {
  const start = after === null ? 0 : firstFrom(items, (item) => comparePlaces(placeOf(item), after) <= 0);
  for (let at = start; at < items.length; at++) yield items[at] as T;
}
