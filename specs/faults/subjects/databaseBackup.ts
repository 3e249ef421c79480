import { Effect } from 'effect';
import { databaseImages } from '../../../rules/database/images.ts';
import { storageSecretName } from '../../../rules/backupStorage/place.ts';
import { backupArchiveController } from '../../../runtime/controllers/backupArchive/controller.ts';
import { bucketListings } from '../../../runtime/controllers/backupArchive/ask/bucketListings.ts';
import { backupJobs } from '../../../runtime/owned/addonKinds.ts';
import { backupStorages } from '../../../runtime/controllers/cloudAccess/storage.ts';
import { databaseController } from '../../../runtime/controllers/database/controller.ts';
import { makeDeletions } from '../../../runtime/controllers/provisioned/deletion.ts';
import { backupArchives, databases, everyKind } from '../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import { bucket, putStorage } from '../../support/backups.ts';
import { databaseIn, databaseName } from '../../support/database.ts';
import type { TestEnvironment } from '../../support/environment.ts';
import { retired } from './backups/archive.ts';
import { backupsOracle } from './backups/oracle.ts';
import { backupPaths } from './backups/paths.ts';
import { backupStateIn, bucketGoes, dropArchives, keysGo } from './backups/acts.ts';
import { dropDatabase, specIs } from './database/paths.ts';
import type { FaultSubject } from './subject.ts';

const namespace = 'shop-production';
const statusIs = (status: object) => (environment: TestEnvironment) => {
  if (databaseIn(environment))
    Effect.runSync(environment.cluster.patchStatus(databases, { name: databaseName }, status));
};

/** External changes to a database with backups, to what takes them, and to the cloud. */
const userEdits: FaultSubject['userEdits'] = {
  ...Object.fromEntries(
    ['NeedsStorage', 'Starting', 'Protected', 'AtRisk'].map((state) => [
      `backup ${state}`,
      statusIs({ backup: { state, message: 'by hand' } }),
    ]),
  ),
  'the state of the backups is removed': statusIs({ backup: null }),
  'backups are turned off': specIs({ backup: { enabled: false, retentionDays: 7 } }),
  'backups are turned on': specIs({ backup: { enabled: true, retentionDays: 3 } }),
  'another bucket is chosen': (environment) => putStorage(environment, 'core-backup-2'),
  'the archive is deleted': dropArchives,
  'the CronJob is deleted': ({ cluster }) => cluster.drop(owned.cronJobs, `${databaseName}-backup`, namespace),
  'the first Job is deleted': ({ cluster }) => cluster.drop(backupJobs, `${databaseName}-backup-first`, namespace),
  'the last Job is deleted': ({ cluster }) => cluster.drop(backupJobs, `${databaseName}-final`, namespace),
  'its credentials are deleted': ({ cluster }) =>
    cluster.drop(owned.secrets, `${databaseName}-backup-credentials`, namespace),
  'the Secret of the storage is deleted': ({ cluster }) => cluster.drop(secrets, storageSecretName(bucket)),
  'the bucket is deleted': bucketGoes,
  'the keys of the user are deleted': keysGo,
  'it is deleted': dropDatabase,
};

/** While the change log of Postgres is saved, the end of its window moves on every five minutes. */
const movesWindow: FaultSubject['recurs'] = ({ verb, plural, body }) =>
  verb === 'patch the status of' &&
  plural === backupArchives.plural &&
  Object.keys(body ?? {}).join() === 'recoveryWindowEnd';

/** Whether the data of a database are safe, with the archive that its backups go to. */
export const databaseBackupSubject: FaultSubject = {
  name: 'databaseBackup',
  tables: ['draftDeploy', 'managedDatabase', 'provisionRetry', 'database', 'databaseBackup', 'backupArchive'],
  controllers: () => {
    const looks = bucketListings(backupStorages());
    const deletions = makeDeletions();
    return [databaseController(databaseImages, looks, deletions), backupArchiveController(looks, deletions)];
  },
  alsoSeen: everyKind,
  removes: true,
  recurs: movesWindow,
  repaired: retired,
  paths: backupPaths,
  state: backupStateIn,
  userEdits,
  oracle: backupsOracle,
};
