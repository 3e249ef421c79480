import type { CoreBackupArchive } from '../../../../crds/coreBackupArchive.ts';
import type { CoreDatabase } from '../../../../crds/coreDatabase.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { backupArchives } from '../../../services/cluster/kinds.ts';
import { byArchivedDatabase } from '../../../services/cluster/indexes.ts';

export const isRetired = ({ spec }: Pick<CoreBackupArchive, 'spec'>): boolean => (spec.deleteAfter ?? '') !== '';

/** All archives of this database, not those of an earlier one of its name. */
const archivesOf = ({ metadata }: CoreDatabase, reader: CacheReader): readonly CoreBackupArchive[] =>
  reader
    .indexed(backupArchives, byArchivedDatabase.name, metadata.name)
    .filter(({ spec }) => spec.databaseUID === metadata.uid);

/** The archive that receives the backups of a database. */
export const archiveOf = (database: CoreDatabase, reader: CacheReader): CoreBackupArchive | undefined =>
  archivesOf(database, reader).find((one) => !isRetired(one));
