import type { Read, StreamEvent, Summary, Items } from '../../api.ts';
import { readPath } from '../api.ts';
import type { Reloading } from './loaded.ts';
import { isBeyond, isWhole, type Pages, withoutRow, withRow } from './pages.ts';
import type { Concerns, Reader } from './reader.ts';
import { type PagesOf, pagesReader, type ReadingOn, usePages } from './usePages.ts';
import type { TypedPath } from '../model/routeAnswers.ts';

/** A list of which single objects are read again when they change. */
export interface ListOf {
  readonly path: TypedPath<Items<Summary>>;
  readonly kind: string;
  /** The path of one object. */
  readonly one: (name: string) => TypedPath<Read>;
  /** Whether an object is in it, whatever the list says; all are where it is left out. */
  readonly isIn?: (object: Summary) => boolean;
}

/** With more changes at once than this, the rows that are read are one request instead of many. */
const maxReadSingly = 8;

type List = Pages<Summary>;

/** The objects of a kind that changed, by name, the last notice of each. */
export function changedIn(events: readonly StreamEvent[], kind: string): ReadonlyMap<string, 'written' | 'deleted'> {
  const changed = new Map<string, 'written' | 'deleted'>();
  for (const { event, data } of events)
    if (event === 'change' && data.kind === kind) changed.set(data.name, data.deleted ? 'deleted' : 'written');
  return changed;
}

/** Brings a list up to date from the notices of changes; true when what is read has to be read again. */
export function keeperOf({ kind, one, isIn = () => true }: ListOf, list: Reader<List>): Concerns {
  /** Objects that are being read, and whether they changed since. */
  const reading = new Map<string, boolean>();

  const readOne = async (name: string): Promise<void> => {
    if (reading.has(name)) {
      reading.set(name, true);
      return;
    }
    reading.set(name, false);
    const answer = await readPath(one(name));
    const isOld = reading.get(name) === true;
    reading.delete(name);
    if (isOld) return readOne(name);
    if (answer.is === 'ok') {
      const { resource } = answer.value;
      list.amend((value) => (isIn(resource) ? withRow(value, resource) : withoutRow(value, name)));
    } else if (answer.is === 'refused' && answer.status === 404) list.amend((value) => withoutRow(value, name));
    else list.reload();
  };

  return (events) => {
    const { value } = list.loaded.peek();
    const changed = [...changedIn(events, kind)].filter(([name]) => value === null || !isBeyond(value, name));
    if (value === null) return changed.length > 0;
    if (changed.length > maxReadSingly) return true;
    for (const [name, what] of changed)
      if (what === 'written') void readOne(name);
      else list.amend((rows) => withoutRow(rows, name));
    return false;
  };
}

/** The same as rows that are read in pages. */
export const pagesIn = (of: ListOf): PagesOf<Summary> => ({ path: of.path, keep: (list) => keeperOf(of, list) });

/** The rows of a list as far as they are read, at least so many, if there is a list; kept current object by object. */
export const useRows = (of: ListOf | null, wanted: number): ReadingOn<List> => usePages(of && pagesIn(of), wanted);

/** The rows of a list that are in memory. */
export const rowsInMemory = (of: ListOf): readonly Summary[] =>
  pagesReader(pagesIn(of)).loaded.peek().value?.items ?? [];

/** All of a list; null until the last row is read. */
export function useList(of: ListOf): Reloading<List> {
  const { value, ...reading } = useRows(of, Infinity);
  return { ...reading, value: value && isWhole(value) ? value : null };
}
