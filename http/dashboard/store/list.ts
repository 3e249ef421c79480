import { useEffect } from 'preact/hooks';
import type { Items, Read, StreamEvent, Summary } from '../../api.ts';
import { read } from '../api.ts';
import type { Reloading } from './loaded.ts';
import { type Concerns, type Reader, readerOf } from './reader.ts';

/** A list of which single objects are read again when they change. */
export interface ListOf {
  readonly path: string;
  readonly kind: string;
  /** The path of one object. */
  readonly one: (name: string) => string;
}

/** With more changes at once than this, the whole list is one request instead of many. */
const readSinglyAtMost = 8;

type List = Items<Summary>;

/** A list with an object as it is now in the place of the earlier one; a new object comes last. */
export function withObject({ items }: List, object: Summary): List {
  const at = items.findIndex(({ name }) => name === object.name);
  return { items: at < 0 ? [...items, object] : items.with(at, object) };
}

export const withoutObject = ({ items }: List, name: string): List => ({
  items: items.filter((item) => item.name !== name),
});

/** The objects of a kind that changed, by name, the last notice of each. */
export function changedIn(events: readonly StreamEvent[], kind: string): ReadonlyMap<string, 'written' | 'deleted'> {
  const changed = new Map<string, 'written' | 'deleted'>();
  for (const { event, data } of events)
    if (event === 'change' && data.kind === kind) changed.set(data.name, data.deleted ? 'deleted' : 'written');
  return changed;
}

/** Brings a list up to date from the notices of changes; true when all of it has to be read again. */
function keeperOf({ kind, one }: ListOf, list: Reader<List>): Concerns {
  /** Objects that are being read, and whether they changed since. */
  const reading = new Map<string, boolean>();

  const readOne = async (name: string): Promise<void> => {
    if (reading.has(name)) {
      reading.set(name, true);
      return;
    }
    reading.set(name, false);
    const answer = await read<Read>(one(name));
    const isOld = reading.get(name) === true;
    reading.delete(name);
    if (isOld) return readOne(name);
    if (answer.is === 'ok') list.amend((value) => withObject(value, answer.value.resource));
    else if (answer.is === 'refused' && answer.status === 404) list.amend((value) => withoutObject(value, name));
    else list.reload();
  };

  return (events) => {
    const changed = changedIn(events, kind);
    if (changed.size > readSinglyAtMost) return true;
    for (const [name, what] of changed)
      if (what === 'written') void readOne(name);
      else list.amend((value) => withoutObject(value, name));
    return false;
  };
}

const never = () => false;

/** A list of objects, read once for all who show it, and kept current object by object. */
export function useList(of: ListOf): Reloading<List> {
  const reader = readerOf<List>(of.path, (list) => keeperOf(of, list));
  useEffect(() => reader.follow(never), [reader]);
  return { ...reader.loaded.value, reload: reader.reload };
}
