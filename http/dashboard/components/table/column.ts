import type { ComponentChildren } from 'preact';
import type { SortKey } from '../../model/filter.ts';

/** One column of a table. */
export interface Column<T> {
  readonly label: string;
  /** The width of its track, such as `92px` or `minmax(160px, 2fr)`. */
  readonly width: string;
  readonly cell: (item: T) => ComponentChildren;
  /** What a click on its head sorts by; left out where it sorts nothing. */
  readonly sort?: SortKey;
  readonly look?: string;
  /** Where it goes when there is little room: away below 1080 px, or away where a row has two lines. */
  readonly yields?: 'early' | 'late';
}

export interface Sorting {
  readonly sort: SortKey;
  readonly reversed: boolean;
}

export const tracksOf = <T>(columns: readonly Column<T>[]): string => columns.map(({ width }) => width).join(' ');
