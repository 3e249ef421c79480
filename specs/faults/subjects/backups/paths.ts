import { annotation } from '../../../../crds/names.ts';
import { dumpKey, pointId } from '../../../../rules/backup/points.ts';
import { purposeLabel } from '../../../../rules/backup/jobs.ts';
import { isRetired } from '../../../../runtime/controllers/backupArchive/observe/archives.ts';
import { backupJobs } from '../../../../runtime/owned/addonKinds.ts';
import { archivesIn, putConnection, putStorage } from '../../../support/backups.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import { nodes } from '../database/paths.ts';
import { engineActors } from '../database/engines.ts';
import { ofKind, type Trouble } from '../../plan/trouble.ts';
import type { Path } from '../subject.ts';
import { minuteMs, putArchive, weekMs } from './archive.ts';
import { backupsSay, completes, failsOnce, jobRunner, postgresBackup, postgresRecovery } from './actors.ts';
import { restores } from './restores.ts';
import {
  backups,
  backupStateIn,
  bucketGoes,
  connectionGoes,
  deletes,
  dropArchives,
  given,
  inFinal,
  heals,
  keysGo,
  linked,
  once,
  putBackedUp,
  refuses,
  type BackupPath,
  turnsOff,
} from './acts.ts';

const dayMs = 24 * 60 * minuteMs;

/** What a former database of the name left: a finished last dump, which its own uid marks. */
const putOldFinal = ({ cluster }: TestEnvironment) =>
  void cluster.put(backupJobs, {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: 'orders-final',
      namespace: 'shop-production',
      labels: { [purposeLabel]: 'final' },
      annotations: { [annotation.ownerUid]: 'uid-of-another' },
    },
    spec: {},
    status: { conditions: [{ type: 'Complete', status: 'True' }] },
  });

/** The archive of a former database, which has the folder that a name alone would give. */
const putOldArchive = (environment: TestEnvironment) =>
  putArchive(environment, weekMs, { databaseUID: 'uid-of-another', serverName: 'orders' }, 'orders');

/** Dumps of eight, nine and ten days ago: the first of them is needed for the days that are kept. */
function putOldDumps(environment: TestEnvironment): void {
  for (const { spec } of archivesIn(environment))
    for (const days of [8, 9, 10]) {
      const id = pointId(environment.now() - days * dayMs);
      environment.cloud.put(spec.storage.bucket, `shop/${spec.serverName}/${dumpKey(id)}`, 'rows');
    }
}

const variants: readonly BackupPath[] = [
  { name: 'SQLite is protected', end: 'Protected' },
  { name: 'the first dump fails', end: 'Protected', comes: () => failsOnce('first') },
  {
    name: 'the storage is chosen late',
    end: 'Protected',
    given: given('SQLite', (environment) => putConnection(environment)),
    script: [once('NeedsStorage', 'a bucket is chosen', (environment) => putStorage(environment))],
  },
  {
    name: 'the cloud refuses, then allows it',
    end: 'Protected',
    given: given('SQLite', (environment) => (linked(environment), refuses(environment))),
    script: [once('NeedsStorage', 'the cloud allows it', heals)],
  },
  { name: 'backups are turned off', end: 'Ready', script: [turnsOff] },
  {
    name: 'backups are turned off and on',
    end: 'Protected',
    mayKeepCronJob: true,
    script: [
      turnsOff,
      {
        text: 'backups are turned on',
        when: (environment) => backupStateIn(environment) === 'Ready' && archivesIn(environment).every(isRetired),
        edit: backups(true),
      },
    ],
  },
  { name: 'SQLite is deleted', end: 'Kept', script: [deletes] },
  { name: 'the last dump fails once', end: 'Kept', script: [deletes], comes: () => failsOnce('final') },
  {
    name: 'the connection goes during the last dump',
    end: 'Kept',
    isUnlisted: true,
    script: [deletes, inFinal('the connection is deleted', connectionGoes)],
  },
  {
    name: 'the bucket goes during the last dump',
    end: 'Kept',
    script: [deletes, inFinal('the bucket is deleted', bucketGoes)],
  },
  {
    name: 'the keys of the bucket go during the last dump',
    end: 'Kept',
    script: [deletes, inFinal('the keys are deleted', keysGo)],
  },
  {
    name: 'the cloud refuses the last dump',
    end: 'Kept',
    script: [deletes, inFinal('the cloud refuses', refuses)],
  },
  {
    name: 'a last dump of an earlier database stands',
    end: 'Kept',
    given: given('SQLite', (environment) => (linked(environment), putOldFinal(environment))),
    script: [deletes],
  },
  {
    name: 'an archive of an earlier database stands',
    end: 'Protected',
    given: given('SQLite', (environment) => (linked(environment), putOldArchive(environment))),
  },
  {
    name: 'another database of its name is made once it is gone',
    end: 'Protected',
    script: [
      deletes,
      {
        text: 'another one is made',
        when: (environment) => backupStateIn(environment) === 'Kept',
        edit: (environment) => putBackedUp(environment, 'SQLite'),
      },
    ],
  },
  {
    name: 'its archive is deleted by hand',
    end: 'Protected',
    script: [once('Protected', 'the archive is deleted', dropArchives)],
  },
  {
    name: 'dumps are older than they are kept',
    end: 'Protected',
    script: [once('Protected', 'there are old dumps', putOldDumps)],
  },
  { name: 'MySQL is protected', end: 'Protected', engine: 'MySQL' },
  { name: 'MySQL is deleted', end: 'Kept', engine: 'MySQL', script: [deletes] },
  { name: 'Postgres is protected', end: 'Protected', engine: 'Postgres' },
  {
    name: 'the change log of Postgres is not saved for a while',
    end: 'Protected',
    engine: 'Postgres',
    script: [
      once('Protected', 'archiving fails', (environment) => backupsSay(environment, 'ContinuousArchiving', 'False')),
      once('AtRisk', 'archiving works', (environment) => backupsSay(environment, 'ContinuousArchiving', 'True')),
    ],
  },
  {
    name: 'a base backup of Postgres fails, and the next one does not',
    end: 'Protected',
    engine: 'Postgres',
    script: [
      once('Protected', 'the nightly one fails', (environment) =>
        backupsSay(environment, 'LastBackupSucceeded', 'False'),
      ),
      once('AtRisk', 'the next one succeeds', (environment) => backupsSay(environment, 'LastBackupSucceeded', 'True')),
    ],
  },
  { name: 'Postgres is deleted', end: 'Kept', engine: 'Postgres', script: [deletes] },
  {
    name: 'the last base backup fails once',
    end: 'Kept',
    engine: 'Postgres',
    script: [deletes],
    comes: () => failsOnce('final'),
  },
  {
    name: 'the cloud refuses the last base backup',
    end: 'Kept',
    engine: 'Postgres',
    script: [deletes, inFinal('the cloud refuses', refuses)],
  },
  { name: 'backups of Postgres are turned off', end: 'Ready', engine: 'Postgres', script: [turnsOff] },
  ...restores,
];

/**
 * Generated keys and passwords, the times of attempts, how often something was tried, and points beyond those that are
 * listed undisturbed.
 */
const drawn =
  /^Secret \S+\.(data\.|metadata\.annotations\.)|core\.platform\/(applied|move)|provisionAttempts|reconcileFailures|lastFailureAt|restorePoints\.\d+\.(id: |time: "\(time\)", undisturbed absent)/;

const ofPoints = /^CoreBackupArchive \S+\.status\.(restorePoints|lastBackupTime|recoveryWindow)/;

/** A retired archive is listed once by a process: only a later one finds that its points were removed by hand. */
const isFoundLater = (difference: string, troubles: readonly Trouble[]): boolean =>
  difference.startsWith('CoreBackupArchive old-') &&
  ofPoints.test(difference) &&
  ofKind(troubles, 'hand').some(({ does }) => does === 'the bucket is deleted') &&
  ofKind(troubles, 'dies').length > 0;

/** The paths of a database's backups. */
export const backupPaths: readonly Path[] = variants.map(({ engine = 'SQLite', comes = () => completes, ...one }) => ({
  name: one.name,
  given: one.given ?? given(engine),
  script: one.script ?? [],
  actors: (environment) => [
    ...(engine === 'SQLite' ? nodes('runs')(environment) : engineActors(engine)(environment)),
    ...jobRunner(environment, comes()),
    ...(engine === 'Postgres'
      ? [...postgresBackup(environment, comes()), ...postgresRecovery(environment, comes())]
      : []),
  ],
  ends: [one.end],
  mayDiffer: (difference, troubles) =>
    drawn.test(difference) ||
    // Backups are kept for seven days by the clock as it was set.
    (ofKind(troubles, 'jumps').length > 0 && /^CoreBackupArchive \S+\.metadata\.generation: /.test(difference)) ||
    // A server is made before or after what is changed by hand, and before a key to its bucket that is heard of late.
    (ofKind(troubles, 'hand', 'lags').length > 0 && /^Cluster \S+\.metadata\.generation: /.test(difference)) ||
    isFoundLater(difference, troubles) ||
    // Nobody can list a bucket whose connection is gone; its points stay there.
    (one.isUnlisted === true && ofKind(troubles, 'dies').length > 1 && ofPoints.test(difference)) ||
    // A leader that stood still writes what it had decided, which is written over again.
    ((one.mayKeepCronJob === true || ofKind(troubles, 'stands').length > 0) &&
      /^CronJob \S+\.metadata\.generation: /.test(difference)),
}));
