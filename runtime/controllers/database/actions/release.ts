import { Clock, Effect } from 'effect';
import type { CoreBackupArchive } from '../../../../crds/coreBackupArchive.ts';
import type { CoreDatabase } from '../../../../crds/coreDatabase.ts';
import { isKeptTooShort } from '../../../../rules/backupArchive/retirement.ts';
import { databaseLimits } from '../../../../rules/database/limits.ts';
import { msOf } from '../../../../rules/time.ts';
import { backupArchives } from '../../../services/cluster/kinds.ts';
import { type Ensure, type Ensured, holds } from '../../../contract/ensure.ts';
import { Cluster, type Gone, type ReadError } from '../../../services/cluster/cluster.ts';
import { monotonicMs } from '../../../services/monotonic.ts';
import type { Deletions } from '../../provisioned/deletion.ts';
import { isRetired } from '../../backupArchive/read.ts';

type Reading<A> = Effect.Effect<A, ReadError | Gone, Cluster>;

const archivesNow = ({ metadata }: CoreDatabase): Reading<readonly CoreBackupArchive[]> =>
  Effect.map(
    Effect.flatMap(Cluster, (cluster) => cluster.list(backupArchives)),
    ({ items }) => items.filter(({ spec }) => spec.databaseUID === metadata.uid),
  );

/** The archives of a database that are not retired yet, by a direct read. */
export const unretiredOf = (database: CoreDatabase): Reading<readonly string[]> =>
  Effect.map(archivesNow(database), (archives) =>
    archives.filter((one) => !isRetired(one)).map(({ metadata }) => metadata.name),
  );

function isKept(archive: CoreBackupArchive, deletingSince: number): boolean {
  const { deleteAfter } = archive.spec;
  if (typeof deleteAfter !== 'string') return false;
  const owner = { is: 'alive', backupsOn: true, moved: false, deletingSince, finalBackup: 'over' } as const;
  return !isKeptTooShort(owner, msOf(deleteAfter));
}

/** The longest wait for an archive, which must not block its database forever. */
const maxMs = 2 * databaseLimits.finalBackupMs;

/** Releases a database once all its archives have their retention set. */
export const archivesKept = (deletions: Deletions): Ensure<CoreDatabase> => ({
  run: ({ object }) =>
    Effect.gen(function* () {
      const input = { now: yield* Clock.currentTimeMillis, monotonic: yield* monotonicMs };
      const since = deletions.since(object, input) ?? input.now;
      if (input.now - since > maxMs) return holds;
      const archives = yield* archivesNow(object).pipe(Effect.catchTag('Gone', () => Effect.succeed([])));
      return archives.every((one) => isKept(one, since)) ? holds : ({ is: 'waits', afterMs: 1_000 } satisfies Ensured);
    }),
});
