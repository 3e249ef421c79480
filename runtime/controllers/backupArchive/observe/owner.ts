import type { CoreBackupArchive } from '../../../../crds/coreBackupArchive.ts';
import type { CoreDatabase } from '../../../../crds/coreDatabase.ts';
import { namespaceOf } from '../../../../rules/database/effective.ts';
import type { OwnerSeen } from '../../../../rules/backupArchive/facts.ts';
import { backupsOn } from '../../../../rules/databaseBackup/causes.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import type { ReconcileInput } from '../../../contract/lifecycle.ts';
import { gateOf, specOf } from '../../../../rules/database/deployed.ts';
import type { Deletions } from '../../provisioned/deletion.ts';
import { finalBackupSeen } from './finalBackup.ts';

/** Whether backups of the deployed database are on; a draft has none. */
export function isBackedUpNow(database: CoreDatabase): boolean {
  const gate = gateOf(database);
  const { backup, engine, placement } = specOf(database, gate);
  return gate !== 'Draft' && backupsOn({ enabled: backup?.enabled ?? false, engine, placement });
}

interface OwnerInput extends Pick<ReconcileInput, 'now' | 'monotonic'> {
  readonly reader: CacheReader;
  readonly deletions: Deletions;
}

/** The owner of an archive, as the archive sees it. */
export function ownerSeen(
  archive: CoreBackupArchive,
  database: CoreDatabase | undefined,
  { reader, deletions, ...input }: OwnerInput,
): OwnerSeen {
  if (database === undefined || database.metadata.uid !== archive.spec.databaseUID) return { is: 'gone' };
  const { project, environment } = archive.spec;
  const ran = specOf(database, gateOf(database));
  return {
    is: 'alive',
    backupsOn: isBackedUpNow(database),
    moved: namespaceOf(ran) !== namespaceOf({ project, environment }),
    deletingSince: deletions.since(database, input),
    finalBackup: finalBackupSeen(database, reader) === 'finished' ? 'over' : 'awaited',
  };
}
