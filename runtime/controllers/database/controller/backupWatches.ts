import type { CoreBackupArchive } from '../../../../crds/coreBackupArchive.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { backupArchives, cloudConnections, databases, projects } from '../../../services/cluster/kinds.ts';
import {
  byArchiveCloud,
  byArchiveKeys,
  byBackupKeys,
  byProject,
  byRestored,
  byStorage,
} from '../../../services/cluster/indexes.ts';
import { type Watching, watching } from '../../../contract/controller.ts';
import { dataOf, exceptHistory, specRead } from '../../../contract/reads.ts';
import { secrets } from '../../../services/cluster/resources.ts';
import { namesBy, namesByEach } from '../../../cache/names.ts';

/** The databases of such archives, and those that are restored from one. */
const ofArchives = (archives: readonly CoreBackupArchive[], reader: CacheReader): readonly string[] =>
  archives.flatMap(({ metadata, spec }) => [spec.database, ...namesBy(reader, databases, byRestored, metadata.name)]);

/** The databases of these projects: those waiting for backup storage have no archive yet. */
const inProjects = (names: readonly string[], reader: CacheReader): readonly string[] =>
  namesByEach(reader, databases, byProject, names);

/** The resources that a database's backups depend on: its archive, the account, and the keys of the bucket. */
export const backupWatches: readonly Watching[] = [
  watching<CoreBackupArchive>({
    resource: backupArchives,
    reads: exceptHistory,
    concerns: (archive, reader) => ofArchives([archive], reader),
  }),
  watching({
    resource: cloudConnections,
    reads: specRead,
    concerns: ({ metadata }, reader) => [
      ...reader.indexed(backupArchives, byArchiveCloud.name, metadata.name).map(({ spec }) => spec.database),
      ...inProjects(namesBy(reader, projects, byStorage, metadata.name), reader),
    ],
  }),
  watching({
    resource: secrets,
    reads: dataOf,
    concerns: ({ metadata: { name } }, reader) => [
      ...ofArchives(reader.indexed(backupArchives, byArchiveKeys.name, name), reader),
      ...inProjects(namesBy(reader, projects, byBackupKeys, name), reader),
    ],
  }),
];
