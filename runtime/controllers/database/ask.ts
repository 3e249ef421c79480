import { Effect } from 'effect';
import type { CoreDatabase } from '../../../crds/coreDatabase.ts';
import { known, unknown } from '../../../rules/fact.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { errorMessage } from '../../../rules/errorMessage.ts';
import type { BackupResources } from './lifecycles/databaseBackup/owned.ts';
import type { DatabaseResources } from './owned.ts';

/** The owned objects of a database and its backups. */
export interface AllResources {
  readonly ownedResources: DatabaseResources;
  readonly backups: BackupResources;
}

/** The remaining objects of a database and its backups, by direct reads. */
export const remainingOf = Effect.fnUntraced(function* (
  database: CoreDatabase,
  reader: CacheReader,
  { ownedResources, backups }: AllResources,
) {
  const left = [...(yield* ownedResources.remaining(database, reader)), ...(yield* backups.remaining(database))];
  return [...new Set(left)];
});

/** The same, as a fact. */
export const askRemaining = (database: CoreDatabase, reader: CacheReader, all: AllResources) =>
  remainingOf(database, reader, all).pipe(
    Effect.map(known),
    Effect.catch((error) => Effect.succeed(unknown(errorMessage(error)))),
  );
