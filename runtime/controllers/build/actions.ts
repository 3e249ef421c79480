import type { BuildStatus, CoreBuild } from '../../../crds/coreBuild.ts';
import type { BuildAction } from '../../../machines/names.ts';
import { jobName } from '../../../rules/build/build.ts';
import { checkNamesKept, checksVerdict } from '../../../rules/build/checks.ts';
import type { BuildFacts } from '../../../rules/build/facts.ts';
import { pushRecorded } from '../../../rules/build/pushes.ts';
import { type Acting, ActionFailed, type Actions, patching } from '../../contract/lifecycle.ts';
import { archivedLogRef, readJob } from './observe.ts';
import { Effect } from 'effect';
import type { Job } from '../../../crds/builtIn.ts';
import { builderJob, type BuilderSettings } from '../../../rules/build/job.ts';
import { jobs } from '../../services/cluster/resources.ts';
import { Cluster } from '../../services/cluster/cluster.ts';
import { projectPlacement } from '../placement.ts';
import { errorMessage } from '../../../rules/errorMessage.ts';

/** Fields of a build's status; null removes one. */
type Fields = { readonly [F in keyof BuildStatus]?: BuildStatus[F] | null };
type Acts = Acting<CoreBuild, BuildFacts>;

/** Removes what a run recorded, except for the commit. */
const nothingRecorded: Fields = {
  failureReason: null,
  ciState: null,
  ciChecks: null,
  imageDigest: null,
  logRef: null,
  jobRef: null,
  retryCount: null,
  startedAt: null,
  completedAt: null,
};

const patches: Readonly<Record<Exclude<BuildAction, 'createJob'>, (acting: Acts) => Fields>> = {
  startOver: ({ facts: { asked, pushes } }) => ({
    ...nothingRecorded,
    sourceRevision: null,
    cancelRequested: null,
    ...(asked?.is === 'push' ? pushRecorded(pushes, asked) : {}),
  }),
  // A commit left by a manual reset is rebuilt; a rule decides about a cancel still requested.
  voidRun: () => nothingRecorded,
  clearCancel: () => ({ cancelRequested: null }),
  requestCancel: () => ({ cancelRequested: true }),
  recordCommit: ({ facts: { commit, revision } }) => {
    if (commit.is !== 'known' || commit.value.is !== 'found') return {};
    const { value: sourceRevision } = commit.value;
    // The commit that a branch was resolved to is its head.
    return revision === '' ? { sourceRevision, head: sourceRevision } : { sourceRevision };
  },
  awaitChecks: () => ({ ciState: 'pending' }),
  recordChecks: ({ facts }) => recordedChecks(facts),
  fail: ({ text }) => ({ failureReason: text }),
  // A waiting build has no failure.
  forgetFailure: () => ({ failureReason: null }),
  claimRun: ({ object, at }) => ({
    startedAt: at,
    jobRef: jobName(object.metadata.name),
    image: object.spec.registry ?? '',
  }),
  recordStart: ({ object }) => ({
    logRef: `pod-log://${jobName(object.metadata.name)}/builder`,
    failureReason: null,
  }),
  countFailedPods: ({ object, facts: { job } }) => {
    const failed = job.is === 'known' && job.value.is === 'present' ? job.value.failedPods : 0;
    return failed === 0 && object.status?.retryCount === undefined ? {} : { retryCount: failed };
  },
  succeed: ({ facts: { digest }, at }) => ({
    imageDigest: digest.is === 'known' ? digest.value : null,
    completedAt: at,
  }),
  recordLog: ({ object }) => ({ logRef: archivedLogRef(object) }),
};

function recordedChecks({ checks }: BuildFacts): Fields {
  if (checks.is !== 'known' || checks.value.is !== 'found') return {};
  const runs = checks.value.value;
  const verdict = checksVerdict(runs).is;
  return {
    ciState: verdict === 'passed' ? 'success' : verdict === 'failed' ? 'failure' : 'pending',
    ciChecks: runs.slice(0, checkNamesKept).map(({ name }) => name),
  };
}

/** Whether a Job belongs to a run. */
export function isJobOf(job: Job, run: string): boolean {
  const seen = readJob(job);
  return seen.is === 'present' && seen.run === run;
}

const createJob = Effect.fnUntraced(function* (
  { object, reader }: Acting<CoreBuild, BuildFacts>,
  settings: BuilderSettings,
) {
  const cluster = yield* Cluster;
  const run = object.status?.startedAt ?? '';
  const job = builderJob(object, run, projectPlacement(object.spec.project, reader), settings);
  const failed = (text: string) =>
    new ActionFailed({
      action: 'createJob',
      retry: 'waiting',
      message: `the builder Job could not be created: ${text}`,
    });
  yield* cluster.create(jobs, job).pipe(
    Effect.catchTag('AlreadyExists', () =>
      cluster.get(jobs, { name: jobName(object.metadata.name) }).pipe(
        // The Job already exists when the response to an earlier attempt was lost.
        Effect.filterOrFail(
          (found) => isJobOf(found, run),
          () => failed('a Job of another run still exists'),
        ),
      ),
    ),
    Effect.mapError((error) => (error._tag === 'ActionFailed' ? error : failed(errorMessage(error)))),
  );
});

/** The named actions of a build. */
export const buildActions = (settings: BuilderSettings): Actions<BuildAction, CoreBuild, BuildFacts, Fields> => ({
  ...patching(patches),
  createJob: { effect: (acting) => createJob(acting, settings) },
});
