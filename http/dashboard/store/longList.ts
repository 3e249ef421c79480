import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { isWhole, type Named, type Pages, rowsAtHand } from './pages.ts';
import { type PagesOf, type ReadingOn, usePages } from './usePages.ts';

/** A list that may be long: as far as it is read, and further as somebody wants more of it. */
export interface LongList<T> extends ReadingOn<Pages<T>> {
  /** Reads at least so many rows. */
  readonly want: (rows: number) => void;
}

/** A list, if there is one: its first rows soon, as many as are at hand in the background, then as they are wanted. */
export function useLongList<T extends Named>(of: PagesOf<T> | null): LongList<T> {
  const wanted = useSignal({ path: of?.path, rows: rowsAtHand });
  const { path, rows } = wanted.value;
  const reading = usePages(of, path === of?.path ? rows : rowsAtHand);
  const want = (more: number): void => {
    if (wanted.peek().path !== of?.path || more > wanted.peek().rows)
      wanted.value = { path: of?.path, rows: Math.max(more, rowsAtHand) };
  };
  return { ...reading, want };
}

/** Several lists as one, always as many; it is there once each of them is, or cannot be read. */
export function useLongLists<T extends Named>(of: readonly (PagesOf<T> | null)[]): LongList<T> {
  const lists = of.map((one) => useLongList(one));
  const values = lists.map(({ value }) => value);
  const items = useMemo(() => values.flatMap((value) => value?.items ?? []), values);
  const isThere = lists.every(({ value, failed }) => value ?? failed) && values.some((value) => value !== null);
  const open = values.find((value) => value !== null && !isWhole(value));
  return {
    value: isThere ? { items, ...(open?.continue === undefined ? {} : { continue: open.continue }) } : null,
    failed: lists.find(({ failed }) => failed !== null)?.failed ?? null,
    readAt: lists.find(({ failed }) => failed !== null)?.readAt ?? null,
    reload: () => lists.forEach((list) => list.reload()),
    readOn: () => lists.forEach((list) => list.readOn()),
    want: (rows) => lists.forEach((list) => list.want(rows)),
  };
}

/** A list whose end says why more of it cannot be read: above it stands only why none of it can. */
export const untilMore = <T>(list: LongList<T>): LongList<T> =>
  list.value && !isWhole(list.value) ? { ...list, failed: null } : list;

/** What a page shows of a long list. */
export interface Source<T> {
  readonly items: readonly T[];
  /** Whether more of it follow. */
  readonly hasMore: boolean;
  readonly isFound: boolean;
  readonly failed: LongList<T>['failed'];
  readonly readOn: () => void;
  readonly want: (rows: number) => void;
  readonly onEnd: () => void;
}

const none: readonly never[] = [];

/** What is asked of a long list. */
interface SourceOptions {
  /** Whether only all rows in the browser can be filtered or ordered as asked. */
  readonly needsAll: boolean;
  readonly isNarrowed: boolean;
}

/** Of a long list what the server found, once it has, or the rows that are read. */
export function useSource<T>(
  list: LongList<T>,
  found: LongList<T>,
  { needsAll, isNarrowed }: SourceOptions,
): Source<T> {
  const isFound = found.value !== null;
  const { value, failed, readOn, want } = isFound ? found : list;
  const items = value?.items ?? none;
  const hasMore = value !== null && !isWhole(value);
  useEffect(() => {
    if (hasMore && needsAll) want(Infinity);
  }, [hasMore, needsAll, isFound]);
  const onEnd = () => {
    // What is looked for is not sought by scrolling until the server has answered.
    if (isFound || !isNarrowed) want(items.length + rowsAtHand);
  };
  return { items, hasMore, isFound, failed, readOn, want, onEnd };
}
