import type { BackupArchiveSpec } from '../../crds/coreBackupArchive.ts';
import { folderOf } from './folder.ts';

/** The location of a database's backups, without keys. */
export interface BackupPlace {
  /** Full URL; empty for AWS, whose endpoint follows from the region. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly project: string;
  /** The folder of the archive within the project's. */
  readonly serverName: string;
}

export const placeOf = (
  { project, serverName, storage }: Pick<BackupArchiveSpec, 'project' | 'serverName' | 'storage'>,
  endpoint: string,
): BackupPlace => ({
  endpoint,
  region: storage.region ?? '',
  bucket: storage.bucket,
  project,
  serverName,
});

/** The path of the folder in the bucket. */
export const pathOf = ({ project, serverName }: BackupPlace): string => folderOf(project, serverName);
