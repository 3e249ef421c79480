import type { CoreBackupArchive } from '../../../crds/coreBackupArchive.ts';
import { type BackupStorage, storageSecretName } from '../../../rules/backupStorage/place.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { backupArchives, cloudConnections, databases, projects } from '../../kinds.ts';
import { type Watching, watching } from '../../lifecycle.ts';
import { secrets } from '../../resources.ts';

const restoringFrom = (archive: string, reader: CacheReader): readonly string[] =>
  reader
    .list(databases)
    .filter(({ spec, status }) => spec.restoreFrom?.archive === archive && (status?.host ?? '') === '')
    .map(({ metadata }) => metadata.name);

/** The databases whose project names such a storage for their backups: those that wait for it have no archive yet. */
function storedIn(is: (storage: BackupStorage) => boolean, reader: CacheReader): readonly string[] {
  const named = reader.list(projects).filter(({ spec: { backupStorage } }) => backupStorage && is(backupStorage));
  const names = new Set(named.map(({ metadata }) => metadata.name));
  return reader
    .list(databases)
    .filter(({ spec }) => names.has(spec.project ?? ''))
    .map(({ metadata }) => metadata.name);
}

/** What tells a database of its backups: its archive, the account, and the keys of the bucket. */
export const backupWatches: readonly Watching[] = [
  watching<CoreBackupArchive>({
    resource: backupArchives,
    concerns: ({ metadata, spec }, reader) => [spec.database, ...restoringFrom(metadata.name, reader)],
  }),
  watching({
    resource: cloudConnections,
    concerns: ({ metadata }, reader) => [
      ...reader
        .list(backupArchives)
        .filter(({ spec }) => spec.storage.connectionRef.name === metadata.name)
        .map(({ spec }) => spec.database),
      ...storedIn(({ connectionRef }) => connectionRef.name === metadata.name, reader),
    ],
  }),
  watching({
    resource: secrets,
    concerns: ({ metadata }, reader) =>
      metadata.name.startsWith(storageSecretName(''))
        ? [
            ...reader
              .list(backupArchives)
              .filter(({ spec }) => storageSecretName(spec.storage.bucket) === metadata.name)
              .flatMap((one) => [one.spec.database, ...restoringFrom(one.metadata.name, reader)]),
            ...storedIn(({ bucket }) => storageSecretName(bucket) === metadata.name, reader),
          ]
        : [],
  }),
];
