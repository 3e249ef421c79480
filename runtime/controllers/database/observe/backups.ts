import type { Job } from '../../../../crds/builtIn.ts';
import type { CoreBackupArchive } from '../../../../crds/coreBackupArchive.ts';
import type { CoreDatabase } from '../../../../crds/coreDatabase.ts';
import { systemNamespace } from '../../../../crds/names.ts';
import { purposeLabel, retryAfterSeconds } from '../../../../rules/backup/jobs.ts';
import { missedNight } from '../../../../rules/backup/missed.ts';
import { nextDue } from '../../../../rules/backup/schedule.ts';
import type { FoundCause } from '../../../../rules/cause/cause.ts';
import { gateOf, specOf } from '../../../../rules/database/deployed.ts';
import { namespaceOf } from '../../../../rules/database/effective.ts';
import { type BackupsTold, causesOfBackups, type DumpSeen } from '../../../../rules/databaseBackup/found.ts';
import { jobOutcome } from '../../../../rules/jobOutcome.ts';
import { createdAtMs, isoTime, msOf } from '../../../../rules/time.ts';
import { causesOf } from '../../../step/derive.ts';
import { archiveOf, dumpsOf, isBackedUpNow, postgresTold } from '../../backupArchive/read.ts';
import { refOf } from '../../causes.ts';
import { ownJob } from '../../jobs.ts';
import type { DerivingOfPods } from '../../volumeEvents.ts';
import { secretsOf } from './copies.ts';

/** Why the data of a database are not saved; none while it is protected, or without backups. */
export function backupCausesOf(database: CoreDatabase, deriving: DerivingOfPods): readonly FoundCause[] {
  const { state = '', message = '' } = database.status?.backup ?? {};
  if (state === '' || state === 'Protected' || !isBackedUpNow(database)) return [];
  const spec = specOf(database, gateOf(database));
  const archive = archiveOf(database, deriving.reader);
  return causesOfBackups({
    self: refOf(database),
    project: { kind: 'CoreProject', name: spec.project ?? '', namespace: systemNamespace },
    state,
    message,
    before: causesOf(database),
    ...(archive ? progressTold(database, archive, deriving) : nothingTold),
  });
}

type Progress = Pick<BackupsTold, 'dump' | 'base' | 'archiving' | 'missed'>;
const nothingTold: Progress = { dump: null, base: null, archiving: null, missed: null };

function progressTold(database: CoreDatabase, archive: CoreBackupArchive, deriving: DerivingOfPods): Progress {
  const { reader } = deriving;
  const { name } = database.metadata;
  const now = msOf(deriving.now);
  const spec = specOf(database, gateOf(database));
  const next = isoTime(nextDue(name, now));
  if (spec.engine === 'Postgres') {
    const on = { kind: 'Cluster', name, namespace: namespaceOf(spec) };
    const { base, archiving } = postgresTold(archive, reader);
    return { ...nothingTold, base: base && { ...base, on, next }, archiving: archiving && { ...archiving, on } };
  }
  const newest = archive.status?.lastBackupTime;
  const night = missedNight(name, {
    newest: typeof newest === 'string' ? msOf(newest) : 0,
    since: createdAtMs(archive),
    now,
  });
  const [job] = dumpsOf(archive, reader);
  const dump = job && jobOutcome(job).is !== 'succeeded' ? dumpSeen(database, job, { deriving, next }) : null;
  return { ...nothingTold, dump, missed: night === null ? null : isoTime(night) };
}

function dumpSeen(
  database: CoreDatabase,
  job: Job,
  { deriving, next }: { readonly deriving: DerivingOfPods; readonly next: string },
): DumpSeen {
  const seen = ownJob(job, deriving, () => secretsOf(database, deriving.reader));
  const hasFailed = jobOutcome(job).is === 'failed';
  const isFirst = job.metadata.labels?.[purposeLabel] === 'first';
  const again = isFirst && hasFailed ? isoTime(endedAtMs(job) + retryAfterSeconds * 1_000) : next;
  return { job: seen, hasFailed, next: again < next ? again : next };
}

const endedAtMs = (job: Job): number => {
  const failed = job.status?.conditions?.find(({ type, status }) => type === 'Failed' && status === 'True');
  return msOf(failed?.lastTransitionTime ?? '') || createdAtMs(job);
};
