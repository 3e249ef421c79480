import type { Job } from '../../crds/builtIn.ts';
import { jobNameLabel } from '../../crds/names.ts';
import type { JobSeen } from '../../rules/cause/jobSeen.ts';
import { createdAtMs, isoTime, msOf } from '../../rules/time.ts';
import type { CacheReader } from '../cache/reader.ts';
import type { Deriving } from '../contract/controller.ts';
import type { Resource } from '../services/cluster/cluster.ts';
import { jobPods } from '../services/cluster/resources.ts';
import { workloadPods } from './capacity.ts';
import type { OwnedPod } from './revision.ts';

const podsIn = (resource: Resource<OwnedPod>, { metadata }: Job, reader: CacheReader): readonly OwnedPod[] =>
  reader.indexed(resource, jobNameLabel, metadata.name).filter((pod) => pod.metadata.namespace === metadata.namespace);

const seen = (
  job: Job,
  pods: readonly OwnedPod[],
  { now, secrets }: { readonly now: string; readonly secrets: JobSeen['secrets'] },
): JobSeen => ({
  on: { kind: 'Job', name: job.metadata.name, namespace: job.metadata.namespace ?? '' },
  startedAt: isoTime(createdAtMs(job)),
  pods,
  volumeEvent: () => undefined,
  secrets,
  now: msOf(now),
});

/** A Job that Core writes, whose pods bear our labels. */
export const ownJob = (job: Job, { reader, now }: Deriving, secrets: JobSeen['secrets']): JobSeen =>
  seen(job, podsIn(workloadPods, job, reader), { now, secrets });

/** A Job of another program in core-system: of the one that installs charts. */
export const systemJob = (job: Job, { reader, now }: Deriving): JobSeen =>
  seen(job, podsIn(jobPods, job, reader), { now, secrets: () => [] });
