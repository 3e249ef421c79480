import { Effect } from 'effect';
import type { CoreBuild } from '../../../crds/coreBuild.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { annotation } from '../../../crds/names.ts';
import { jobName } from '../../../rules/build/build.ts';
import type { JobSeen } from '../../../rules/build/facts.ts';
import * as builder from '../../../rules/build/job.ts';
import * as ownRun from '../../../rules/build/ownRun.ts';
import { known } from '../../../rules/fact.ts';
import type { CacheReader } from '../../../runtime/cache/reader.ts';
import * as archive from '../../../runtime/controllers/build/ask/archive.ts';
import * as ask from '../../../runtime/controllers/build/ask.ts';
import { findLog } from '../../../runtime/controllers/build/ask.ts';
import * as actions from '../../../runtime/controllers/build/actions.ts';
import * as ensures from '../../../runtime/controllers/build/ensures.ts';
import * as observe from '../../../runtime/controllers/build/observe.ts';
import { readJob } from '../../../runtime/controllers/build/observe.ts';
import * as run from '../../../runtime/controllers/build/ask/run.ts';
import { podsOfRun } from '../../../runtime/controllers/build/ask/run.ts';
import { holds } from '../../../runtime/contract/ensure.ts';
import { jobs } from '../../../runtime/services/cluster/resources.ts';
import { type Bug, replaced } from './bug.ts';
import { withCluster } from './decorators.ts';

const gone = known<JobSeen>({ is: 'absent' });
const runOf = ({ metadata }: KubeObject) => metadata.annotations?.[annotation.run];
const cachedJob = ({ metadata }: CoreBuild, reader: CacheReader) => reader.get(jobs, jobName(metadata.name));

const calls = [4, 5, 12, 13, 14];

/** The successor of a crashed process receives an old list, and the later changes arrive late. */
const restartsOnOldView = (path: string, of: string): readonly string[] =>
  [1, 2, 3].flatMap((changes) =>
    calls.map(
      (at) => `build / ${path} / lags of=${of} / dies at=${at} when=after / staleList at=2 of=${of} changes=${changes}`,
    ),
  );

/** Bugs in the observations, actions and ensures of the build controller. */
export const buildBugs: readonly Bug[] = [
  {
    name: 'Job that could not be read is gone',
    family: 'swallowed error',
    text: 'a Job whose read fails counts as absent',
    plant: replaced(
      ask,
      'askJob',
      (original) => (build) => Effect.map(original(build), (seen) => (seen.is === 'unknown' ? gone : seen)),
    ),
    by: ['read refused, stale cache'],
    on: /^the log of both runs/,
  },
  {
    name: 'Job gone says the cache',
    family: 'stale view',
    text: 'that a claimed run has no Job is believed of the cache',
    plant: replaced(
      observe,
      'jobSeen',
      (original) => (build, reader) => (cachedJob(build, reader) === undefined ? gone : original(build, reader)),
    ),
  },
  {
    name: 'Job of another run says the cache',
    family: 'stale view',
    text: 'that there is only a Job of another run is believed of the cache',
    unseen: 'a run is only claimed once the cache shows no other, and a restart hears of changes before its first pass',
    plans: restartsOnOldView('reset by hand, the Job is kept', 'jobs'),
    plant: replaced(observe, 'jobSeen', (original) => (build, reader) => {
      const job = cachedJob(build, reader);
      return job === undefined ? original(build, reader) : known(readJob(job));
    }),
    on: /^built again while it runs|^reset by hand/,
  },
  {
    name: 'pods of any run',
    family: 'run not compared',
    text: 'the digest and the log are those of whichever pod there is',
    plant: replaced(run, 'isPodOf', () => () => true),
    on: /^built again while it runs|^reset by hand/,
  },
  {
    name: 'pods could not be listed',
    family: 'swallowed error',
    text: 'pods that could not be listed count as absent',
    plant: replaced(
      run,
      'podsOfRun',
      (original) => (build) => Effect.catchTag(original(build), 'Unavailable', () => Effect.succeed([])),
    ),
  },
  {
    name: 'list of pods from before',
    family: 'stale view',
    text: 'a list that does not show the pod of a Job that has just ended proves that there is none',
    plant: replaced(run, 'podsOfEndedRun', () => podsOfRun),
    by: ['list from an old view'],
  },
  {
    name: 'any archived log will do',
    family: 'run not compared',
    text: 'the log of an earlier run in the store counts as that of this one',
    plant: replaced(archive, 'isOfThisRun', () => (archived) => archived !== null),
    on: /^the log of both|^the log is archived/,
  },
  {
    name: 'log kept under no run',
    family: 'run not compared',
    text: 'a stored log does not say which run it is of',
    plant: replaced(
      archive,
      'archive',
      (original) =>
        (build, ...rest) =>
          original({ ...build, status: { ...build.status, startedAt: '' } }, ...rest),
    ),
    on: /^the log of both|^the log is archived/,
  },
  {
    name: 'store that fails has no log',
    family: 'swallowed error',
    text: 'a store that could not be asked says that the log will never come',
    plant: replaced(
      ask,
      'askLog',
      () => (build, asking) =>
        Effect.map(
          Effect.orElseSucceed(findLog(build, asking), () => 'archived' as const),
          known,
        ),
    ),
    on: /^the log is archived|^the object store/,
  },
  {
    name: 'upload believed without a look',
    family: 'lost answer',
    text: 'a log is taken for archived when its upload was refused',
    plant: replaced(ensures, 'uploadLog', (original) => (given) => Effect.as(Effect.ignore(original(given)), holds)),
    on: /^the log is archived|^the object store/,
  },
  {
    name: 'Job deleted on a stale view',
    family: 'stale view',
    text: 'a Job that is not wanted by the build as it is cached is deleted without another look',
    plans: restartsOnOldView('a pinned commit is built', 'corebuilds'),
    plant: replaced(
      ensures,
      'isStillUnwanted',
      (original) =>
        (...given) =>
          Effect.as(original(...given), true),
    ),
    on: /^built again while it runs|^reset by hand|^cancelled by hand while it runs/,
  },
  {
    name: 'Job deleted by its name',
    family: 'missing precondition',
    text: 'a Job is deleted whichever it is by now',
    plant: withCluster((cluster) => ({
      ...cluster,
      remove: (resource, name, over) => cluster.remove(resource, name, resource.kind === jobs.kind ? {} : over),
    })),
    on: /^built again while it runs|^reset by hand|^cancelled by hand while it runs/,
  },
  {
    name: 'Job without a run is ours',
    family: 'ownership',
    text: 'a Job that names no run is left where it is',
    plant: replaced(ownRun, 'isOfRun', (original) => (job, build) => runOf(job) === undefined || original(job, build)),
    on: /survived/,
  },
  {
    name: 'late Job stays',
    family: 'un-fenced leader',
    text: 'a Job that was made after its run was over is left to run',
    plant: replaced(
      ownRun,
      'isOfRun',
      () => (job, build) => runOf(job) !== undefined && runOf(job) === build.status?.startedAt,
    ),
    on: /^the Job is deleted by hand/,
    by: ['leader stands still, stand-by takes over'],
  },
  {
    name: 'any Job of this name is ours',
    family: 'effect twice',
    text: 'a Job that exists already is taken for the one that was to be created',
    plant: replaced(actions, 'isJobOf', () => () => true),
    on: /^reset by hand, the Job is kept/,
    by: ['event late'],
  },
  {
    name: 'Job belongs to nobody',
    family: 'ownership',
    text: 'a Job is created without its owner',
    plant: replaced(builder, 'builderJob', (original) => (...given) => {
      const { metadata, ...job } = original(...given);
      const ownerReferences = metadata.ownerReferences?.map((owner) => ({ ...owner, uid: `${owner.uid}-` }));
      return { ...job, metadata: { ...metadata, ownerReferences: ownerReferences ?? [] } };
    }),
  },
  {
    name: 'Job says not whose run it is',
    family: 'ownership',
    text: 'a Job is created without the name of its run',
    plant: replaced(builder, 'builderJob', (original) => (...given) => {
      const { metadata, ...job } = original(...given);
      return { ...job, metadata: { ...metadata, annotations: {} } };
    }),
  },
  {
    name: 'Job that is there is an error',
    family: 'lost answer',
    text: 'a Job that exists already fails its creation, also when it is the one that was asked for',
    plant: replaced(actions, 'isJobOf', () => () => false),
    on: /^a pinned commit/,
    by: ['answer lost'],
    unseen: 'the next pass finds that Job as its own',
  },
];
