import { Effect } from 'effect';
import { eachOf } from '../../../contract/eachOf.ts';
import type { Job, Pod } from '../../../../crds/builtIn.ts';
import type { CoreLogicalDatabase } from '../../../../crds/coreLogicalDatabase.ts';
import { annotation, label } from '../../../../crds/names.ts';
import { namespaceOf } from '../../../../rules/database/effective.ts';
import type { CreateJobSeen, DropJobSeen } from '../../../../rules/logicalDatabase/facts.ts';
import type { JobRole } from '../../../../rules/logicalDatabase/job.ts';
import { createJobName, dropJobName } from '../../../../rules/logicalDatabase/names.ts';
import { isOf } from '../../../../rules/owned/ownedObject.ts';
import { activeAttempt } from '../../../../rules/provision/attempts.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { logicalDatabases } from '../../../services/cluster/kinds.ts';
import { type Ensured, type Ensuring, holds } from '../../../contract/ensure.ts';
import { jobs, pods } from '../../../services/cluster/resources.ts';
import {
  Unavailable,
  byLabel,
  Cluster,
  type ReadError,
  type Refused,
  type Resource,
} from '../../../services/cluster/cluster.ts';
import { isDeleting } from '../../../../rules/deleting.ts';
import { jobOutcome } from '../../../../rules/jobOutcome.ts';
import type { Placed } from '../observe/server.ts';
import { find } from '../../../services/cluster/find.ts';

/** The Jobs of logical databases, in the namespaces of their servers. */
export const logicalJobs: Resource<Job> = {
  ...jobs,
  cached: { everywhere: true, labelSelector: label.logicalDatabase, indexes: [byLabel(label.logicalDatabase)] },
};

const uidOf = ({ metadata }: CoreLogicalDatabase): string => metadata.uid ?? '';

/** The run of a Job: the attempt of this object, or the end of its life; null before the first attempt. */
export function runOf(logical: CoreLogicalDatabase, role: JobRole): string | null {
  if (role === 'drop') return `${uidOf(logical)}/drop`;
  const attempt = activeAttempt(logical.status?.provision);
  return attempt === undefined ? null : `${uidOf(logical)}/${attempt.id}`;
}

export const jobNameOf = ({ metadata: { name } }: CoreLogicalDatabase, role: JobRole): string =>
  role === 'create' ? createJobName(name) : dropJobName(name);

export const isOfRun = ({ metadata }: Job, run: string | null): boolean =>
  run !== null && metadata.annotations?.[annotation.run] === run;

const isOwn = (logical: CoreLogicalDatabase, job: Job): boolean =>
  isOf(job, { kind: 'CoreLogicalDatabase', name: logical.metadata.name });

/** How the create Job ended: its pod failure policy distinguishes a database of another login from other errors. */
function createOutcome(job: Job): CreateJobSeen {
  const outcome = jobOutcome(job);
  return outcome.is === 'failed' && outcome.reason === 'PodFailurePolicy' ? 'taken' : outcome.is;
}

/** The cached create Job; its name is unique to the object, so that it is created only once. */
export function createJobSeen(logical: CoreLogicalDatabase, placed: Placed, reader: CacheReader): CreateJobSeen {
  const found = reader.get(logicalJobs, jobNameOf(logical, 'create'), namespaceOf(placed.server.spec));
  if (!found) return 'absent';
  return isOfRun(found, runOf(logical, 'create')) && !isDeleting(found) ? createOutcome(found) : 'other';
}

const storedJob = Effect.fnUntraced(function* (
  logical: CoreLogicalDatabase,
  placed: Placed,
  role: JobRole,
): Effect.fn.Return<Job | null, ReadError, Cluster> {
  const name = { name: jobNameOf(logical, role), namespace: namespaceOf(placed.server.spec) };
  return yield* find(logicalJobs, name);
});

const hasEnded = ({ status }: Pod) => status?.phase === 'Succeeded' || status?.phase === 'Failed';

/** Whether a pod of such a Job runs, which may outlive its Job. */
export const hasPods = Effect.fnUntraced(function* (
  logical: CoreLogicalDatabase,
  placed: Placed,
  role: JobRole,
): Effect.fn.Return<boolean, Refused | Unavailable, Cluster> {
  const cluster = yield* Cluster;
  const labelSelector = `${label.logicalDatabase}=${logical.metadata.name},${label.logicalDatabaseRole}=${role}`;
  const { items } = yield* cluster
    .list(pods, { namespace: namespaceOf(placed.server.spec), labelSelector })
    .pipe(Effect.catchTag('Gone', ({ what }) => Effect.fail(new Unavailable({ message: what }))));
  return items.some((pod) => !hasEnded(pod));
});

/** Whether the create Job or one of its pods exists. */
export const isCreateJobLeft = Effect.fnUntraced(function* (logical: CoreLogicalDatabase, placed: Placed) {
  return (yield* storedJob(logical, placed, 'create')) !== null || (yield* hasPods(logical, placed, 'create'));
});

export const dropJobSeen = Effect.fnUntraced(function* (
  logical: CoreLogicalDatabase,
  placed: Placed,
): Effect.fn.Return<DropJobSeen, ReadError, Cluster> {
  const job = yield* storedJob(logical, placed, 'drop');
  if (job === null) return 'absent';
  if (!isOfRun(job, runOf(logical, 'drop')) || isDeleting(job)) return 'other';
  return jobOutcome(job).is;
});

/** Deletes both Jobs, found in the cache or by a direct read. */
export const removeJobs = Effect.fnUntraced(function* (logical: CoreLogicalDatabase, placed: Placed | null) {
  const cluster = yield* Cluster;
  if (placed === null) return;
  yield* eachOf(['create', 'drop'] as const, (role) =>
    Effect.flatMap(storedJob(logical, placed, role), (job) =>
      job !== null && isOwn(logical, job) ? removeJob(cluster, job) : Effect.void,
    ),
  );
});

const removeJob = (cluster: typeof Cluster.Service, { metadata }: Job) =>
  cluster
    .remove(logicalJobs, metadata, metadata.uid === undefined ? {} : { uid: metadata.uid })
    .pipe(Effect.catchTag('Conflict', () => Effect.void));

/** The cached Jobs of other runs of the object. */
const otherJobs = (logical: CoreLogicalDatabase, cached: readonly Job[]): readonly Job[] => {
  const wanted: JobRole = isDeleting(logical) ? 'drop' : 'create';
  return cached.filter((job) => isOwn(logical, job) && !isDeleting(job) && !isOfRun(job, runOf(logical, wanted)));
};

/** Removes the Jobs of other runs. The object is read directly first, because its cached attempt may be stale. */
export const noOtherJob = Effect.fnUntraced(function* ({ object, reader }: Ensuring<CoreLogicalDatabase>) {
  const cached = reader.indexed(logicalJobs, label.logicalDatabase, object.metadata.name);
  if (otherJobs(object, cached).length === 0) return holds;
  const cluster = yield* Cluster;
  const stored = yield* find(logicalDatabases, { name: object.metadata.name });
  if (stored === null || stored.metadata.uid !== object.metadata.uid) return holds;
  yield* eachOf(otherJobs(stored, cached), (job) => removeJob(cluster, job));
  return { is: 'waits', afterMs: 5_000 } satisfies Ensured;
});
