import { useEffect, useRef } from 'preact/hooks';
import type { Reloading } from './loaded.ts';
import { type Named, type Pages, pagesOf } from './pages.ts';
import { type How, type Reader, readerOf } from './reader.ts';
import type { TypedPath } from '../model/routeAnswers.ts';
import type { Items } from '../../api.ts';

/** A list that is read page by page. */
export interface PagesOf<T extends Named> {
  readonly path: TypedPath<Items<T>>;
  /** Keeps the rows that are read current from events. */
  readonly keep: NonNullable<How<Pages<T>>['keep']>;
}

/** The more rows, the rarer they are all read anew: a second for a thousand. */
const paceMs = (pages: Pages<unknown> | null): number => pages?.items.length ?? 0;

/** The reader of a list, for all who show it. */
export const pagesReader = <T extends Named>({ path, keep }: PagesOf<T>): Reader<Pages<T>> =>
  readerOf<Pages<T>>(path, { isPaged: true, reading: pagesOf(path), keep, paceMs });

/** Rows as far as they are read, and how to read what failed. */
export type ReadingOn<T> = Reloading<T> & { readonly readOn: () => void };

const never = () => false;
const none: ReadingOn<never> = { value: null, failed: null, readAt: null, reload: never, readOn: never };

/** A list, if there is one, as far as it is wanted; read once for all who show it. */
export function usePages<T extends Named>(of: PagesOf<T> | null, wanted: number): ReadingOn<Pages<T>> {
  const reader = of && pagesReader(of);
  const rows = useRef(wanted);
  rows.current = wanted;
  useEffect(() => reader?.follow({ concerns: never, wanted: () => rows.current }), [reader]);
  useEffect(() => reader?.readOn(), [reader, wanted]);
  return reader ? { ...reader.loaded.value, reload: reader.reload, readOn: reader.readOn } : none;
}
