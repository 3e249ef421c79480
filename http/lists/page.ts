import type { Place } from './continue.ts';
import type { PlaceOf } from './ordered.ts';
import { comparePlaces, firstFrom } from './sorted.ts';
import type { Row } from './rows.ts';

/** A list in its order. */
export interface List<T> {
  readonly items: readonly T[];
  readonly placeOf: PlaceOf<T>;
  /** Whether the caller asked for it and may see it. */
  readonly isIn: (item: T) => boolean;
  readonly row: (item: T) => Row;
}

/** What is asked of a list. */
export interface PageAsked {
  /** Only what comes after. */
  readonly after: Place | null;
  readonly limit: number;
  /** In lower case. */
  readonly search: string;
  readonly states: ReadonlySet<string> | null;
}

/** The rows of a page, and the place of its last one where more follow. */
export interface Page {
  readonly rows: readonly Row[];
  readonly end: Place | null;
}

/** What was deleted since the page before is left out, and what is new comes where it belongs. */
export function pageOf<T>({ items, placeOf, isIn, row }: List<T>, asked: PageAsked): Page {
  const { after, limit, search, states } = asked;
  const start = after === null ? 0 : firstFrom(items, (item) => comparePlaces(placeOf(item), after) <= 0);
  const rows: Row[] = [];
  let last: T | undefined;
  for (let at = start; at < items.length; at++) {
    const item = items[at] as T;
    if (!isIn(item)) continue;
    const one = row(item);
    if (states !== null && !states.has(one.state)) continue;
    if (search !== '' && !one.searched.some((text) => text.includes(search))) continue;
    if (rows.length === limit) return { rows, end: last === undefined ? null : placeOf(last) };
    rows.push(one);
    last = item;
  }
  return { rows, end: null };
}
