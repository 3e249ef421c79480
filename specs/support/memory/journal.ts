import { Effect } from 'effect';
import { msOf } from '../../../rules/time.ts';
import type { JournalShape, Tombstone } from '../../../runtime/services/journal.ts';

/** Histories of objects that are gone, one for each uid, for as long as a test lasts. */
export function memoryJournal(): JournalShape {
  const tombstones = new Map<string, Tombstone>();
  return {
    archive: (tombstone) =>
      Effect.sync(() => {
        if (!tombstones.has(tombstone.uid)) tombstones.set(tombstone.uid, tombstone);
      }),
    since: (ms) => Effect.sync(() => [...tombstones.values()].filter(({ deletedAt }) => msOf(deletedAt) >= ms)),
  };
}
