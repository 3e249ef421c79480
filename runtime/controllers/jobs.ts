import type { Job } from '../../crds/builtIn.ts';
import { jobNameLabel } from '../../crds/names.ts';
import type { JobSeen } from '../../rules/cause/jobSeen.ts';
import { createdAtMs, isoTime, msOf } from '../../rules/time.ts';
import type { CacheReader } from '../cache/reader.ts';
import type { Resource } from '../services/cluster/cluster.ts';
import { jobPods } from '../services/cluster/resources.ts';
import { workloadPods } from './capacity.ts';
import type { OwnedPod } from './revision.ts';
import type { DerivingOfPods } from './volumeEvents.ts';

const podsIn = (resource: Resource<OwnedPod>, { metadata }: Job, reader: CacheReader): readonly OwnedPod[] =>
  reader.indexed(resource, jobNameLabel, metadata.name).filter((pod) => pod.metadata.namespace === metadata.namespace);

/** The pods of a Job that Core writes, which bear our labels. */
export const ownJobPods = (job: Job, reader: CacheReader): readonly OwnedPod[] => podsIn(workloadPods, job, reader);

/** The pods of a Job of another program in core-system. */
export const systemJobPods = (job: Job, reader: CacheReader): readonly OwnedPod[] => podsIn(jobPods, job, reader);

type Telling = Pick<DerivingOfPods, 'now' | 'volumeEvent'> & Pick<JobSeen, 'secrets'>;

const seen = (job: Job, pods: readonly OwnedPod[], { now, volumeEvent, secrets }: Telling): JobSeen => ({
  on: { kind: 'Job', name: job.metadata.name, namespace: job.metadata.namespace ?? '' },
  startedAt: isoTime(createdAtMs(job)),
  pods,
  volumeEvent,
  secrets,
  now: msOf(now),
});

/** A Job that Core writes. */
export const ownJob = (job: Job, deriving: DerivingOfPods, secrets: JobSeen['secrets']): JobSeen =>
  seen(job, ownJobPods(job, deriving.reader), { ...deriving, secrets });

/** A Job of another program in core-system: of the one that installs charts. */
export const systemJob = (job: Job, deriving: DerivingOfPods): JobSeen =>
  seen(job, systemJobPods(job, deriving.reader), { ...deriving, secrets: () => [] });
