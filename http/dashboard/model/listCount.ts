import { grouped } from './plural.ts';

/** How much of a list is shown. */
export interface Shown {
  readonly shown: number;
  /** The rows that are read, of what was looked for where something was. */
  readonly read: number;
  /** Whether more of them follow. */
  readonly hasMore: boolean;
  /** The rows of the list; null where nobody counts them before all are read. */
  readonly total: number | null;
}

/** How many rows are shown and of how many: `12 of 3,000`, `The first 1,000 of 3,000`. */
export function countWord({ shown, read, hasMore, total }: Shown): string {
  const all = total === null ? `more than ${grouped(read)}` : grouped(total);
  if (!hasMore) return `${grouped(shown)} of ${all}`;
  return shown === read ? `The first ${grouped(read)} of ${all}` : `${grouped(shown)} in the first ${grouped(read)}`;
}
