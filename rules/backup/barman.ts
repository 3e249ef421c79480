import type { CoreDatabase, DatabaseSpec } from '../../crds/coreDatabase.ts';
import { bootstrapSecretName, ownLogin } from '../database/connection.ts';
import { databaseNameOf, namespaceOf } from '../database/effective.ts';
import { databaseLabels } from '../database/labels.ts';
import { type BackupObject, type Purpose, purposeLabel } from './jobs.ts';
import { backupCredentialsName, finalBackupName, firstBackupName, restoreCredentialsName } from './names.ts';
import { positionText } from './changeLog.ts';
import type { BackupPlace } from './place.ts';
import { dailyScheduleWithSeconds } from './schedule.ts';

// The Postgres operator supports these fields up to version 1.30; its chart is pinned below the version that drops
// them.

/** The object store of a server, with credentials to its bucket alone. */
const objectStore = ({ endpoint, bucket, project, serverName }: BackupPlace, credentials: string) => ({
  destinationPath: `s3://${bucket}/${project}`,
  ...(endpoint === '' ? {} : { endpointURL: endpoint }),
  serverName,
  s3Credentials: {
    accessKeyId: { name: credentials, key: 'ACCESS_KEY_ID' },
    secretAccessKey: { name: credentials, key: 'ACCESS_SECRET_KEY' },
    region: { name: credentials, key: 'REGION' },
  },
});

/** `spec.backup` of a server: where its change log and its base backups are stored, and for how long. */
export const archiving = (database: CoreDatabase, place: BackupPlace, retentionDays: number) => ({
  barmanObjectStore: {
    ...objectStore(place, backupCredentialsName(database.metadata.name)),
    wal: { compression: 'gzip' },
    data: { compression: 'gzip' },
  },
  retentionPolicy: `${retentionDays}d`,
});

/** The recovery target of a Postgres server. */
export type RecoveryTarget =
  /** A base backup, as it was when it ended. */
  | { readonly is: 'point'; readonly id: string }
  | { readonly is: 'time'; readonly time: string }
  /** A base backup and the change log up to a position, including the record there. */
  | { readonly is: 'position'; readonly id: string; readonly position: bigint }
  /** The whole archive. */
  | { readonly is: 'newest' };

/**
 * A time of RFC 3339 with its offset in digits. The operator writes UTC as `Z` otherwise, an abbreviation that Postgres
 * does not know when it reads its settings.
 */
const targetTime = (time: string): string => time.replace(/t/i, ' ').replace(/z$|[+-]00:00$/i, '+00');

function recoveryTarget(target: RecoveryTarget) {
  switch (target.is) {
    case 'point':
      return { recoveryTarget: { backupID: target.id, targetImmediate: true } };
    case 'time':
      return { recoveryTarget: { targetTime: targetTime(target.time) } };
    case 'position':
      return { recoveryTarget: { backupID: target.id, targetLSN: positionText(target.position) } };
    case 'newest':
      return {};
  }
}

const origin = 'origin';

/** The bootstrap of a restored server: from the archive of another. */
export const recovery = (
  database: CoreDatabase,
  spec: DatabaseSpec,
  { place, target }: { readonly place: BackupPlace; readonly target: RecoveryTarget },
) => ({
  bootstrap: {
    recovery: {
      source: origin,
      database: databaseNameOf(database, spec),
      owner: ownLogin,
      secret: { name: bootstrapSecretName(database.metadata.name) },
      ...recoveryTarget(target),
    },
  },
  externalClusters: [
    { name: origin, barmanObjectStore: objectStore(place, restoreCredentialsName(database.metadata.name)) },
  ],
});

const postgresObject = (
  kind: 'Backup' | 'ScheduledBackup',
  database: CoreDatabase,
  spec: DatabaseSpec,
  given: { readonly name: string; readonly purpose: Purpose; readonly spec?: object },
): BackupObject => ({
  apiVersion: 'postgresql.cnpg.io/v1',
  kind,
  metadata: {
    name: given.name,
    namespace: namespaceOf(spec),
    labels: { ...databaseLabels(database, spec), [purposeLabel]: given.purpose },
  },
  spec: { cluster: { name: database.metadata.name }, method: 'barmanObjectStore', ...given.spec },
});

/** A base backup each night, the first at once. */
export const scheduledBackup = (database: CoreDatabase, spec: DatabaseSpec): BackupObject =>
  postgresObject('ScheduledBackup', database, spec, {
    name: database.metadata.name,
    purpose: 'daily',
    spec: {
      schedule: dailyScheduleWithSeconds(database.metadata.name),
      immediate: true,
      backupOwnerReference: 'self',
    },
  });

/** An immediate base backup, when earlier ones are no longer in the bucket. */
export const firstBackup = (database: CoreDatabase, spec: DatabaseSpec): BackupObject =>
  postgresObject('Backup', database, spec, { name: firstBackupName(database.metadata.name), purpose: 'first' });

/** The last base backup, while the database is being deleted. */
export const finalBackup = (database: CoreDatabase, spec: DatabaseSpec): BackupObject =>
  postgresObject('Backup', database, spec, { name: finalBackupName(database.metadata.name), purpose: 'final' });
