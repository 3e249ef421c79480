import type { Job } from '../../../../crds/builtIn.ts';
import type { CoreBackupArchive } from '../../../../crds/coreBackupArchive.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import { annotation } from '../../../../crds/names.ts';
import { purposeLabel } from '../../../../rules/backup/jobs.ts';
import { jobOutcome } from '../../../../rules/jobOutcome.ts';
import { engineOf } from '../../../../rules/restore/refusals.ts';
import type { WorkloadCondition } from '../../../../rules/pods.ts';
import { createdAtMs, msOf } from '../../../../rules/time.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { ownedBy } from '../../../owned/kinds.ts';
import { backupJobs, postgresClusters } from '../../../owned/addonKinds.ts';

/** The progress of a database's backups, by their Jobs and Backups. */
export interface Progress {
  /** Identifies the ended backups; a change requires a new list of the bucket. */
  readonly ended: string;
  readonly latestFailed: boolean;
  readonly running: boolean;
  /** Whether the change log of Postgres is saved. */
  readonly changesSaved: boolean;
  /** When the newest base backup of Postgres was taken, in ms since the epoch. */
  readonly takenAt: number | null;
}

/** The Jobs of a database, of one purpose. */
export const jobsOf = (database: string, purposes: readonly string[], reader: CacheReader): readonly Job[] =>
  reader
    .indexed(backupJobs, ...ownedBy('CoreDatabase', database))
    .filter(({ metadata }) => purposes.includes(metadata.labels?.[purposeLabel] ?? ''));

/** Whether an object was created for this database, not for an earlier one of its name. */
export const isMadeFor = ({ metadata }: KubeObject, uid: string): boolean =>
  metadata.annotations?.[annotation.ownerUid] === uid;

interface Conditioned {
  readonly status?: {
    readonly conditions?: readonly WorkloadCondition[];
    readonly lastSuccessfulBackup?: string;
    readonly lastFailedBackup?: string;
  };
}

/** The Jobs that take the dumps of an archive, the newest first. */
export const dumpsOf = ({ spec: { database, databaseUID } }: CoreBackupArchive, reader: CacheReader): readonly Job[] =>
  // The Jobs of a CronJob bear no uid of the database.
  jobsOf(database, ['daily', 'first', 'final'], reader)
    .filter((job) => job.metadata.annotations?.[annotation.ownerUid] === undefined || isMadeFor(job, databaseUID))
    .toSorted((a, b) => createdAtMs(b) - createdAtMs(a));

const serverOf = (
  { spec: { project, environment, database } }: CoreBackupArchive,
  reader: CacheReader,
): Conditioned | undefined =>
  reader.get(postgresClusters, database, `${project}-${environment}`) as Conditioned | undefined;

const conditionFalse = (server: Conditioned | undefined, type: string): WorkloadCondition | undefined =>
  server?.status?.conditions?.find((one) => one.type === type && one.status === 'False');

/** What the operator of Postgres says of backups that fail: when, and its words; null for nothing. */
export function postgresTold(archive: CoreBackupArchive, reader: CacheReader) {
  const server = serverOf(archive, reader);
  const { lastFailedBackup = '' } = server?.status ?? {};
  const failed = conditionFalse(server, 'LastBackupSucceeded');
  const archiving = conditionFalse(server, 'ContinuousArchiving');
  const wordsOf = ({ lastTransitionTime = '', message = '', reason = '' }: WorkloadCondition) => ({
    at: lastTransitionTime,
    why: message || reason,
  });
  const base = postgresProgress(server).latestFailed && failed ? wordsOf(failed) : null;
  return {
    base: base && { ...base, at: lastFailedBackup || base.at },
    archiving: archiving ? wordsOf(archiving) : null,
  };
}

/** The progress of the backups in an archive. */
export function progressOf(archive: CoreBackupArchive, reader: CacheReader): Progress {
  if (engineOf(archive) === 'Postgres') return postgresProgress(serverOf(archive, reader));
  const jobs = dumpsOf(archive, reader);
  const ended = jobs.filter((job) => jobOutcome(job).is !== 'running');
  const [latest] = ended;
  return {
    ended: ended
      .map(({ metadata }) => metadata.uid ?? metadata.name)
      .toSorted((a, b) => a.localeCompare(b))
      .join(' '),
    latestFailed: latest !== undefined && jobOutcome(latest).is === 'failed',
    running: ended.length < jobs.length,
    changesSaved: true,
    takenAt: null,
  };
}

const isAfter = (one: string, other: string): boolean => one !== '' && (other === '' || msOf(one) > msOf(other));

function postgresProgress(server: Conditioned | undefined): Progress {
  const { lastSuccessfulBackup = '', lastFailedBackup = '' } = server?.status ?? {};
  const failed = conditionFalse(server, 'LastBackupSucceeded');
  // The operator reports this for every running backup; the times show whether the previous one failed.
  const running = failed?.reason === 'BackupStarted';
  return {
    ended: `${lastSuccessfulBackup} ${lastFailedBackup}`,
    latestFailed: running ? isAfter(lastFailedBackup, lastSuccessfulBackup) : failed !== undefined,
    running,
    changesSaved: conditionFalse(server, 'ContinuousArchiving') === undefined,
    takenAt: lastSuccessfulBackup === '' ? null : msOf(lastSuccessfulBackup),
  };
}
