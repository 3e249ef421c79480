import type { CoreLogicalDatabase } from '../../../../crds/coreLogicalDatabase.ts';
import { causeOfFailed } from '../../../../rules/cause/job.ts';
import type { FoundCause } from '../../../../rules/cause/cause.ts';
import { causesOfRemaining, deletionWaits } from '../../../../rules/cause/deletion.ts';
import type { JobSeen } from '../../../../rules/cause/jobSeen.ts';
import { namespaceOf } from '../../../../rules/database/effective.ts';
import { adminSecretName, type JobRole } from '../../../../rules/logicalDatabase/job.ts';
import { loginSecretName } from '../../../../rules/logicalDatabase/names.ts';
import type { StartingPod } from '../../../../rules/pods.ts';
import { sentence, toObservers } from '../../../../rules/words.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { ownedBy } from '../../../owned/kinds.ts';
import { owned } from '../../../owned/owned.ts';
import { secretValues } from '../../../services/secretText.ts';
import { ownJob, ownJobPods } from '../../jobs.ts';
import { remainingIn } from '../../remaining.ts';
import type { DerivingOfPods } from '../../volumeEvents.ts';
import { isOfRun, jobNameOf, logicalJobs, runOf } from '../owned/jobs.ts';
import type { LogicalDatabaseResources } from '../owned.ts';
import { type Placed, placedOn } from './server.ts';

/** The Job of the current run of a role, with the server that it works on; undefined when there is none. */
function runningJob(logical: CoreLogicalDatabase, role: JobRole, reader: CacheReader) {
  const placed = placedOn(logical, reader);
  if (placed === null) return undefined;
  const job = reader.get(logicalJobs, jobNameOf(logical, role), namespaceOf(placed.server.spec));
  return job !== undefined && isOfRun(job, runOf(logical, role)) ? { job, placed } : undefined;
}

/** The Job of the current run of a role, and its pods; undefined when there is none. */
export function jobSeen(logical: CoreLogicalDatabase, role: JobRole, deriving: DerivingOfPods): JobSeen | undefined {
  const { reader } = deriving;
  const running = runningJob(logical, role, reader);
  return running && ownJob(running.job, deriving, () => secretsRead(logical, running.placed, reader));
}

/** The pods of the Job that creates it. */
export function creatingPods(logical: CoreLogicalDatabase, reader: CacheReader): readonly StartingPod[] {
  const running = runningJob(logical, 'create', reader);
  return running ? ownJobPods(running.job, reader) : [];
}

/** The values of the Secrets that a Job on the server reads. */
function secretsRead(
  { metadata }: CoreLogicalDatabase,
  { object, server }: Placed,
  reader: CacheReader,
): readonly string[] {
  const names = [adminSecretName(object.metadata.name, server.spec.engine), loginSecretName(metadata.name)];
  return [
    ...names.map((name) => reader.get(owned.secrets, name, namespaceOf(server.spec))),
    ...reader.indexed(owned.secrets, ...ownedBy('CoreDatabase', object.metadata.name)),
  ].flatMap(secretValues);
}

/** What the deletion of a logical database waits for: the Job that drops it, else what was written for it. */
export function deletionOf(
  logical: CoreLogicalDatabase,
  ownedResources: LogicalDatabaseResources,
  deriving: DerivingOfPods,
): readonly FoundCause[] {
  const job = jobSeen(logical, 'drop', deriving);
  if (job === undefined)
    return causesOfRemaining(remainingIn(ownedResources.left(logical, deriving.reader), deriving.reader));
  const failed = causeOfFailed('DeletionWaits', job);
  if (failed) return [{ ...failed, of: 'Deletion' }];
  return [deletionWaits(sentence('{job} drops the database', { job: toObservers(job.on.name) }), job.on)];
}
