import type { Items } from '../../api.ts';
import { type ApiResult, readPath, withQuery } from '../api.ts';
import type { ReadingInput, Reading } from './reader.ts';
import type { TypedPath } from '../model/routeAnswers.ts';

/** The rows of a list that are read, in the order of the server; `continue` is there while more follow. */
export interface Pages<T> extends Items<T> {
  readonly continue?: string;
}

/** What names a row, among the others and in their order. */
export interface Named {
  readonly name: string;
  /** Of an instance, whose name others may have too. */
  readonly id?: string;
}

/** The first page is small, so that it is shown soon. */
export const firstRows = 100;
/** Up to here a list is read in the background, and filtered and ordered in the browser. */
export const rowsAtHand = 1000;

export const isWhole = (pages: Pages<unknown>): boolean => pages.continue === undefined;

const keyOf = ({ id, name }: Named): string => id ?? name;

/** Whether a row comes after all that are read, so that a later page brings it. */
export function isBeyond(pages: Pages<Named>, name: string): boolean {
  const last = pages.items.at(-1);
  return !isWhole(pages) && last !== undefined && name > last.name;
}

/** A list with a row as it is now: in the place of the earlier one, or where it belongs. */
export function withRow<T extends Named>(pages: Pages<T>, row: T): Pages<T> {
  const { items } = pages;
  const at = items.findIndex((item) => keyOf(item) === keyOf(row));
  if (at >= 0) return { ...pages, items: items.with(at, row) };
  if (isBeyond(pages, row.name)) return pages;
  const next = items.findIndex(({ name }) => name > row.name);
  return { ...pages, items: items.toSpliced(next < 0 ? items.length : next, 0, row) };
}

export function withoutRow<T extends Named>(pages: Pages<T>, key: string): Pages<T> {
  const items = pages.items.filter((item) => keyOf(item) !== key);
  return items.length === pages.items.length ? pages : { ...pages, items };
}

/** The pages so far and the next one: a row that is in both was moved by an event. */
function joined<T extends Named>(before: Pages<T> | null, page: Pages<T>): Pages<T> {
  if (before === null) return page;
  const rows = new Map([...before.items, ...page.items].map((item) => [keyOf(item), item]));
  return { ...page, items: [...rows.values()] };
}

const pagePath = <T>(path: TypedPath<Items<T>>, limit: number, from: string | undefined): TypedPath<Pages<T>> =>
  withQuery(path, { limit: String(limit), ...(from === undefined ? {} : { continue: from }) });

/** How many rows to ask for: a few first, then as many as are missing. */
const limitOf = (missing: number, isFirst: boolean): number =>
  isFirst ? firstRows : Math.max(firstRows, Math.min(rowsAtHand, missing));

const rowsIn = (pages: Pages<unknown> | null): number => pages?.items.length ?? 0;

const isTooOld = (answer: ApiResult<unknown>): boolean => answer.is === 'refused' && answer.status === 410;

/**
 * Reads a list page by page, as far as it is wanted. What was shown before stays until as much is read anew, so that
 * nobody's place in it is lost.
 */
export const pagesOf =
  <T extends Named>(path: TypedPath<Items<T>>): Reading<Pages<T>> =>
  async ({ signal, shown, isMore, wanted, isOld, show }: ReadingInput<Pages<T>>) => {
    const atLeast = rowsIn(shown);
    let pages = isMore ? shown : null;
    for (;;) {
      const missing = Math.max(wanted(), atLeast) - rowsIn(pages);
      if (pages !== null && (isWhole(pages) || missing <= 0)) return { is: 'ok', value: pages };
      const limit = limitOf(missing, shown === null && pages === null);
      const answer: ApiResult<Pages<T>> = await readPath(pagePath(path, limit, pages?.continue), signal);
      if (answer.is === 'ok') {
        pages = joined(pages, answer.value);
        if (pages.items.length >= atLeast) show(pages);
        // Few rows are read again at once, before the others are read in vain.
        if (isOld() && pages.items.length <= firstRows) return answer;
      } else if (pages !== null && isTooOld(answer)) pages = null;
      else return answer;
    }
  };
