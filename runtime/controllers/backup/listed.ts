import { Effect } from 'effect';
import type { CoreBackupArchive } from '../../../crds/coreBackupArchive.ts';
import { done, type Ensure, type Ensured, holds } from '../../lifecycle.ts';
import { isRetired } from './archivesOf.ts';
import type { Looks } from './looks.ts';

const later: Ensured = { is: 'waits', afterMs: 900_000 };

/**
 * The points of a retired archive are listed once by each process: the one that retired it may have ended before it
 * wrote down the last of them.
 */
export const listed = (looks: Looks): Ensure<CoreBackupArchive> => ({
  run: ({ object, reader }) =>
    Effect.gen(function* () {
      if (!isRetired(object) || looks.of(object) !== null) return holds;
      yield* looks.look(object, reader);
      return looks.of(object) === null ? later : done;
    }),
});
