import type { BackupArchiveSpec, CoreBackupArchive } from '../../crds/coreBackupArchive.ts';
import { coreBackupArchive } from '../../crds/coreBackupArchive.ts';
import type { CoreDatabase, DatabaseSpec } from '../../crds/coreDatabase.ts';
import { typeMeta } from '../../crds/kind.ts';
import { annotation, label, managedBy, systemNamespace } from '../../crds/names.ts';
import { databaseNameOf, resourcesOf, storageSizeOf } from '../database/effective.ts';

type Followed = Pick<BackupArchiveSpec, 'retentionDays' | 'source'>;
const usualDays = 7;

/** The fields that an archive copies from its database. */
export const followedSpec = (database: CoreDatabase, spec: DatabaseSpec): Followed => ({
  retentionDays: spec.backup?.retentionDays ?? usualDays,
  source: {
    engine: spec.engine,
    ...(spec.engine === 'Postgres' ? { version: spec.version } : {}),
    ...(spec.engine === 'SQLite' ? {} : { databaseName: databaseNameOf(database, spec) }),
    storageSize: storageSizeOf(spec),
    resources: resourcesOf(spec),
  },
});

/** The labels of an archive are those of its database. */
export const archiveLabels = ({
  project,
  environment,
  database,
}: Pick<BackupArchiveSpec, 'project' | 'environment' | 'database'>): Readonly<Record<string, string>> => ({
  [label.managedBy]: managedBy,
  [label.kind]: 'CoreDatabase',
  [label.name]: database,
  [label.systemNamespace]: systemNamespace,
  [label.project]: project,
  [label.environment]: environment,
});

/** The archive of a database, before its first backup. */
export function newArchive(
  database: CoreDatabase,
  spec: DatabaseSpec,
  { name, storage }: { readonly name: string; readonly storage: BackupArchiveSpec['storage'] },
): CoreBackupArchive {
  const { metadata } = database;
  const of = { project: spec.project ?? '', environment: spec.environment ?? '', database: metadata.name };
  const displayName = metadata.annotations?.[annotation.displayName];
  return {
    ...typeMeta(coreBackupArchive),
    metadata: {
      name,
      namespace: systemNamespace,
      labels: archiveLabels(of),
      ...(displayName === undefined ? {} : { annotations: { [annotation.displayName]: displayName } }),
    },
    spec: { ...of, databaseUID: metadata.uid ?? '', serverName: name, storage, ...followedSpec(database, spec) },
  };
}
