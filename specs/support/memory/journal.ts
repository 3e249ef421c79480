import { Effect } from 'effect';
import { msOf } from '../../../rules/time.ts';
import type { JournalShape, Obituary } from '../../../runtime/services/journal.ts';

/** Histories of objects that are gone, one for each uid, for as long as a test lasts. */
export function memoryJournal(): JournalShape {
  const buried = new Map<string, Obituary>();
  return {
    bury: (obituary) =>
      Effect.sync(() => {
        if (!buried.has(obituary.uid)) buried.set(obituary.uid, obituary);
      }),
    since: (ms) => Effect.sync(() => [...buried.values()].filter(({ deletedAt }) => msOf(deletedAt) >= ms)),
  };
}
