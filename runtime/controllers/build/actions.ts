import type { BuildStatus, CoreBuild } from '../../../crds/coreBuild.ts';
import type { BuildAction } from '../../../machines/names.ts';
import { jobName } from '../../../rules/build/build.ts';
import { checkNamesKept, checksVerdict } from '../../../rules/build/checks.ts';
import type { BuildFacts } from '../../../rules/build/facts.ts';
import { pushRecorded } from '../../../rules/build/pushes.ts';
import { type Action, type Acting, type Actions, patching } from '../../contract/lifecycle.ts';
import { archivedLogRef } from './observe.ts';

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
  // A commit that a manual reset left in place is built again; a rule judges a cancel that is still requested.
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
  // A build that waits again has no failure any more.
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

/** The named actions of a build. */
export const buildActions = (
  createJob: NonNullable<Action<CoreBuild, BuildFacts>['effect']>,
): Actions<BuildAction, CoreBuild, BuildFacts, Fields> => ({ ...patching(patches), createJob: { effect: createJob } });
