import { Effect } from 'effect';
import type { CoreBackupArchive } from '../../../crds/coreBackupArchive.ts';
import { archiveKeptMs } from '../../../rules/backupArchive/retirement.ts';
import { msOf } from '../../../rules/time.ts';
import { done, type Ensure, holds, ServiceFailed } from '../../lifecycle.ts';
import type { Look, Looks } from './looks.ts';

/** Whether the points were listed after the archive was retired, when the last of them stood in the bucket. */
export function isListed({ spec: { deleteAfter } }: CoreBackupArchive, look: Look | null): boolean {
  if (typeof deleteAfter !== 'string') return true;
  return look !== null && (look.retired || !(look.at < msOf(deleteAfter) - archiveKeptMs));
}

/**
 * Lists the points of a retired archive once more: the process that retired it may have ended, or the cloud not have
 * answered, before the last of them was written down.
 */
export const listed = (looks: Looks): Ensure<CoreBackupArchive> => ({
  retry: { firstMs: 60_000, mostMs: 900_000 },
  run: ({ object, reader }) =>
    Effect.gen(function* () {
      if (isListed(object, looks.of(object))) return holds;
      yield* looks.look(object, reader);
      if (isListed(object, looks.of(object))) return done;
      return yield* new ServiceFailed({ why: 'the restore points could not be listed' });
    }),
});
