import type { CoreBackupArchive } from '../../../../../../crds/coreBackupArchive.ts';
import type { CoreDatabase } from '../../../../../../crds/coreDatabase.ts';
import type { BackupPlan } from '../../../../../../rules/backup/jobs.ts';
import { placeOf } from '../../../../../../rules/backup/place.ts';
import type { DatabaseImages } from '../../../../../../rules/database/images.ts';
import type { CacheReader } from '../../../../../cache/reader.ts';
import { placedOf } from '../../../observe/settled.ts';
import { bucketAccess } from '../../../../backupArchive/read.ts';
import { gateOf, specOf } from '../../../../../../rules/database/deployed.ts';

export interface PlanGiven {
  readonly reader: CacheReader;
  readonly images: DatabaseImages;
}

/** The settings of the backup objects; null while the bucket cannot be used. */
export function planOf(
  database: CoreDatabase,
  archive: Pick<CoreBackupArchive, 'spec'>,
  { reader, images }: PlanGiven,
): BackupPlan | null {
  const access = bucketAccess(archive.spec, reader);
  if (access.is === 'unusable') return null;
  return {
    place: placeOf(archive.spec, access.endpoint),
    placement: placedOf(database, specOf(database, gateOf(database)), reader),
    images,
  };
}
