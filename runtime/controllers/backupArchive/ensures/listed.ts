import { Clock, Effect } from 'effect';
import type { CoreBackupArchive } from '../../../../crds/coreBackupArchive.ts';
import { archiveKeptMs } from '../../../../rules/backupArchive/retirement.ts';
import { msOf } from '../../../../rules/time.ts';
import { done, type Ensure, type Ensured, holds } from '../../../contract/ensure.ts';
import type { Look, Looks } from '../ask/lists.ts';

/** Whether the points were listed after the archive was retired, when the last of them stood in the bucket. */
export function isListed({ spec: { deleteAfter } }: CoreBackupArchive, look: Look | null): boolean {
  if (typeof deleteAfter !== 'string') return true;
  return look !== null && (look.retired || !(look.at < msOf(deleteAfter) - archiveKeptMs));
}

/** A list that failed is asked for again after as long as lists have been failing, within these bounds. */
const leastMs = 60_000;
const mostMs = 900_000;

/**
 * Lists the points of a retired archive once more: the process that retired it may have ended, or the cloud not have
 * answered, before the last of them was written down. A requested look lists those of any archive.
 */
export const listed = (looks: Looks): Ensure<CoreBackupArchive> => ({
  run: ({ object, reader }) =>
    Effect.gen(function* () {
      const isDone = () => isListed(object, looks.of(object)) && !looks.isRequested(object);
      if (isDone()) return holds;
      yield* looks.look(object, reader);
      if (isDone()) return done;
      const failingMs = looks.failingMs(object, yield* Clock.currentTimeMillis);
      return { is: 'waits', afterMs: Math.min(mostMs, Math.max(leastMs, failingMs)) } satisfies Ensured;
    }),
});
