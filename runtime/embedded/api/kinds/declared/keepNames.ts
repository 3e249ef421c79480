import type { Stored } from '../../../store.ts';
import { type Json, textAt } from '../../json.ts';
import { StatusError } from '../../status.ts';
import type { ApiStore } from '../../store/store.ts';
import { createUnderWay } from '../../store/underWay.ts';
import { definitions } from '../builtIn.ts';
import { withAcceptedNames } from './acceptedNames.ts';

/** The definitions whose writes are under way. */
const underWay = createUnderWay();

/** Grants a definition its names for the time of a write, so that no two get the same. */
export function withNames<T>(store: ApiStore, write: (named: (definition: Json) => Json) => Promise<T>): Promise<T> {
  return underWay.during(store, (count) =>
    write((definition) => {
      const named = withAcceptedNames(definition, othersOf(store, definition));
      count(named);
      return named;
    }),
  );
}

function othersOf(store: ApiStore, definition: Json): readonly Json[] {
  const uid = textAt(definition, 'metadata', 'uid');
  return [...store.list(definitions), ...underWay.of(store)].filter(
    (one) => isBeside(one, definition) && textAt(one, 'metadata', 'uid') !== uid,
  );
}

const isBeside = (one: Json, other: Json) => textAt(one, 'spec', 'group') === textAt(other, 'spec', 'group');

/** Grants definitions the names that others gave back. */
export function keepNames(store: ApiStore): { readonly stop: () => Promise<void> } {
  const running = new Set<Promise<unknown>>();
  let soon: NodeJS.Immediate | null = null;
  const forget = store.onChange(({ bucket }) => {
    // Later, when what was just written is no longer counted as under way.
    if (bucket === definitions) soon ??= setImmediate(look);
  });

  function look() {
    soon = null;
    for (const one of store.list(definitions)) if (withAcceptedNames(one, othersOf(store, one)) !== one) rename(one);
  }

  function rename({ metadata: { name, uid } }: Stored) {
    const place = { bucket: definitions, namespace: '', name };
    const done = withNames(store, (named) =>
      store.update(place, (now) => (now.metadata.uid === uid ? (named(now) as Stored) : now)),
    ).catch(unlessRefused);
    running.add(done);
    void done.finally(() => running.delete(done));
  }

  return {
    async stop() {
      forget();
      if (soon !== null) clearImmediate(soon);
      await Promise.all(running);
    },
  };
}

/** What is gone in between needs no names; what cannot be stored is tried again after the next change. */
function unlessRefused(why: unknown): void {
  if (!(why instanceof StatusError)) throw why;
}
