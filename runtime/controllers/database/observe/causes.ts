import type { CoreDatabase } from '../../../../crds/coreDatabase.ts';
import type { FoundCause } from '../../../../rules/cause/cause.ts';
import { causesOfRemaining, deletionWaits } from '../../../../rules/cause/deletion.ts';
import { failureIn } from '../../../../rules/cause/job.ts';
import type { JobRole, JobSeen } from '../../../../rules/cause/jobSeen.ts';
import { finalBackupName } from '../../../../rules/backup/names.ts';
import { gateOf, specOf } from '../../../../rules/database/deployed.ts';
import { namespaceOf } from '../../../../rules/database/effective.ts';
import { databaseLimits } from '../../../../rules/database/limits.ts';
import { isoTime, msOf } from '../../../../rules/time.ts';
import { sentence, toObservers, toViewers } from '../../../../rules/words.ts';
import { backupJobs } from '../../../owned/addonKinds.ts';
import { ownJob, systemJob } from '../../jobs.ts';
import { remainingIn } from '../../remaining.ts';
import type { DerivingOfPods } from '../../volumeEvents.ts';
import { restoring } from '../actions/restore.ts';
import type { DatabaseResources } from '../owned.ts';
import { secretsOf } from './copies.ts';
import { chartJobOf } from './runs.ts';

/** A Job that works for a database: installs its chart, or loads its backup. */
export function jobOf(database: CoreDatabase, role: JobRole, deriving: DerivingOfPods): JobSeen | undefined {
  const { reader } = deriving;
  const spec = specOf(database, gateOf(database));
  if (role === 'chart') {
    const job = chartJobOf(database, spec, reader);
    return job && systemJob(job, deriving);
  }
  const job = role === 'restore' ? restoring(database, spec, reader) : undefined;
  return job && ownJob(job, deriving, () => secretsOf(database, reader));
}

/** What the deletion of a database waits for: its last backup and until when, else what is left. */
export function deletionOf(
  database: CoreDatabase,
  ownedResources: DatabaseResources,
  deriving: DerivingOfPods,
): readonly FoundCause[] {
  const { reader } = deriving;
  if (database.status?.phase !== 'FinalBackup')
    return causesOfRemaining(remainingIn(ownedResources.diff(database, reader, 'Draft'), reader));
  const spec = specOf(database, gateOf(database));
  const name = finalBackupName(database.metadata.name);
  const on = { kind: spec.engine === 'Postgres' ? 'Backup' : 'Job', name, namespace: namespaceOf(spec) };
  const until = isoTime(msOf(database.metadata.deletionTimestamp ?? deriving.now) + databaseLimits.finalBackupMs);
  const message = sentence('the last backup {name} is awaited until {until}', {
    name: toObservers(name),
    until: toViewers(until),
  });
  const job = reader.get(backupJobs, name, on.namespace);
  const failure = job && failureIn(ownJob(job, deriving, () => secretsOf(database, reader)));
  return [{ ...deletionWaits(message, on), ...failure }];
}
