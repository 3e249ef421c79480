import type { BuildAction, BuildEnsure, BuildState } from '../../../machines/names.ts';
import type { BuildFacts, ChecksSeen } from '../../../rules/build/facts.ts';
import type { Absence } from '../../../rules/engine.ts';
import { known } from '../../../rules/fact.ts';
import type { Model } from '../../check/subject.ts';
import { fine } from './facts.ts';

type Standing = BuildState | Absence | '(deleted)';

/** A build with its Job and the Git host; runs are counted from 1. */
export interface BuildWorld {
  readonly state: Standing;
  readonly waitForCI: boolean;
  /** Which setting is wrong, if one is. */
  readonly wrong: 'registry' | 'context' | 'connectionRef' | null;
  readonly connection: boolean;
  /** Its phase is still empty. */
  readonly untouched: boolean;
  readonly run: number | null;
  /** The number of claimed runs. */
  readonly runs: number;
  readonly job: { readonly run: number; readonly is: 'active' | 'failed' | 'pushed' | 'empty' } | null;
  /** The Jobs created for the claimed run, without those that a person deleted. */
  readonly created: number;
  readonly digest: number | null;
  readonly commit: boolean;
  readonly host: 'fine' | 'silent' | 'refuses';
  readonly checks: 'pending' | 'passed' | 'failed';
  readonly cancel: boolean;
  /** The phase before a reset by a person; `resetFrom` is what the next pass observes of it. */
  readonly resetting: Standing | null;
  readonly resetFrom: Standing | null;
  readonly archived: boolean;
  /** The phase that a person wrote, until it is entered in the history. */
  readonly found: BuildState | null;
}

const fresh: BuildWorld = {
  state: '(none)',
  waitForCI: false,
  wrong: null,
  connection: true,
  untouched: true,
  run: null,
  runs: 0,
  job: null,
  created: 0,
  digest: null,
  commit: false,
  host: 'fine',
  checks: 'pending',
  cancel: false,
  resetting: null,
  resetFrom: null,
  archived: false,
  found: 'Pending',
};

const runName = (run: number | null) => (run === null ? null : `2027-01-15T08:00:0${run}.000Z`);
const outcomes = { active: 'active', failed: 'failed', pushed: 'succeeded', empty: 'succeeded' } as const;
const checkRuns = {
  pending: { status: 'in_progress', conclusion: null },
  passed: { status: 'completed', conclusion: 'success' },
  failed: { status: 'completed', conclusion: 'failure' },
} as const;
const answers = {
  silent: { is: 'silent', why: '' },
  refuses: { is: 'refused', code: 404, status: '404 Not Found' },
} as const;

function checksOf({ host, checks, waitForCI }: BuildWorld): ChecksSeen {
  if (!waitForCI) return { is: 'notAwaited' };
  return host === 'fine' ? { is: 'found', value: [{ name: 'test', ...checkRuns[checks] }] } : answers[host];
}

function logOf({ state, archived }: BuildWorld) {
  if (state !== 'Succeeded' && state !== 'Failed') return 'settled' as const;
  return archived ? ('settled' as const) : ('archived' as const);
}

const factsOf = (world: BuildWorld): BuildFacts => ({
  ...fine,
  found: world.found,
  run: runName(world.run),
  cancelRequested: world.cancel,
  resetFrom: world.resetFrom,
  phase: world.untouched ? '' : world.state,
  registry: world.wrong === 'registry' ? '' : fine.registry,
  context: world.wrong === 'context' ? '../..' : '',
  connectionRef: world.wrong === 'connectionRef' ? '' : fine.connectionRef,
  sourceRevision: world.commit ? fine.sourceRevision : '',
  waitForCI: world.waitForCI,
  connection: known(world.connection ? 'ready' : 'absent'),
  commit: known(
    world.commit || world.host === 'fine' ? { is: 'found', value: fine.sourceRevision } : answers[world.host],
  ),
  checks: known(checksOf(world)),
  job: known(
    world.job === null
      ? { is: 'absent' }
      : { is: 'present', run: runName(world.job.run) ?? '', outcome: outcomes[world.job.is], failedPods: 0 },
  ),
  digest: known(world.job?.is === 'pushed' && world.job.run === world.run ? `sha256:${world.run}` : null),
  log: known(logOf(world)),
});

const nothingRecorded = { run: null, created: 0, digest: null, archived: false };
const same = (world: BuildWorld) => world;
const withJob = (world: BuildWorld): BuildWorld =>
  world.run === null || world.job !== null
    ? world
    : { ...world, job: { run: world.run, is: 'active' }, created: world.created + 1 };

const does: Readonly<Record<BuildAction, (world: BuildWorld) => BuildWorld>> = {
  awaitChecks: same,
  claimRun: (world) => ({ ...world, run: world.runs + 1, runs: world.runs + 1, created: 0 }),
  clearCancel: (world) => ({ ...world, cancel: false }),
  countFailedPods: same,
  createJob: withJob,
  fail: same,
  recordChecks: same,
  forgetFailure: same,
  recordCommit: (world) => ({ ...world, commit: true }),
  recordLog: (world) => ({ ...world, archived: true }),
  recordStart: same,
  requestCancel: (world) => ({ ...world, cancel: true }),
  startOver: (world) => ({ ...world, ...nothingRecorded, commit: false, cancel: false }),
  succeed: (world) => ({ ...world, digest: world.run }),
  voidRun: (world) => ({ ...world, ...nothingRecorded, resetting: world.state }),
};

const withoutOtherJob = (world: BuildWorld): BuildWorld =>
  world.job !== null && world.job.run !== world.run ? { ...world, job: null } : world;
const ensures: Readonly<Record<BuildEnsure, (world: BuildWorld) => BuildWorld>> = {
  noOtherJob: withoutOtherJob,
  noJob: (world) => ({ ...world, job: null }),
  logTried: same,
  logArchived: same,
  newestTen: same,
};

const exists = ({ state }: BuildWorld) => state !== '(none)' && state !== '(deleted)';
const when = (holds: (world: BuildWorld) => boolean, ...next: readonly ((world: BuildWorld) => BuildWorld)[]) => ({
  on: (world: BuildWorld) => (exists(world) && holds(world) ? next.map((change) => change(world)) : []),
});
const jobIs = (is: 'failed' | 'pushed' | 'empty') => (world: BuildWorld) => ({
  ...world,
  job: world.job && { ...world.job, is },
});
const hostIs = (host: BuildWorld['host']) => (world: BuildWorld) => ({ ...world, host });
const checksAre = (checks: BuildWorld['checks']) => (world: BuildWorld) => ({ ...world, checks });
const beforeJob = ({ state }: BuildWorld) => ['Pending', 'WaitingForCI', 'FailedBeforeJob'].includes(state);

/** A build whose Job ends, while people push, cancel, reset and delete, and the Git host comes and goes. */
export const model: Model<BuildWorld, BuildFacts, BuildState> = {
  start: [
    fresh,
    { ...fresh, waitForCI: true },
    { ...fresh, wrong: 'registry' },
    { ...fresh, wrong: 'context' },
    { ...fresh, wrong: 'connectionRef' },
    { ...fresh, job: { run: 0, is: 'active' } },
  ],
  state: ({ state }) => state,
  // What a build owns is deleted with it.
  enter: (world, state) =>
    state === '(deleted)'
      ? { ...fresh, state }
      : {
          ...world,
          state,
          untouched: world.untouched && state === 'Pending',
          resetFrom: world.resetting,
          resetting: null,
          found: null,
        },
  facts: factsOf,
  does,
  ensures,
  moves: [
    {
      name: 'the Job ends',
      undisturbed: true,
      ...when(({ job }) => job?.is === 'active', jobIs('pushed'), jobIs('empty'), jobIs('failed')),
    },
    { name: 'the Git host answers again', undisturbed: true, ...when(({ host }) => host !== 'fine', hostIs('fine')) },
    {
      name: 'the checks end',
      undisturbed: true,
      ...when(({ checks, waitForCI }) => waitForCI && checks === 'pending', checksAre('passed'), checksAre('failed')),
    },
    {
      name: 'the connection is ready',
      undisturbed: true,
      ...when(
        ({ connection }) => !connection,
        (w) => ({ ...w, connection: true }),
      ),
    },
    {
      name: 'the connection is lost',
      ...when(
        (world) => beforeJob(world) && world.connection,
        (w) => ({ ...w, connection: false }),
      ),
    },
    {
      name: 'the Git host fails',
      ...when((world) => beforeJob(world) && world.host === 'fine', hostIs('silent'), hostIs('refuses')),
    },
    { name: 'the checks are run again', ...when(({ checks }) => checks === 'failed', checksAre('pending')) },
    {
      name: 'the operator dies when the Job is created and not recorded',
      ...when((world) => beforeJob(world) && world.run !== null && world.job === null, withJob),
    },
    {
      name: 'the Job is deleted',
      ...when(
        ({ job }) => job !== null,
        (w) => ({ ...w, job: null, created: 0 }),
      ),
    },
    {
      name: 'a Job of an earlier run turns up',
      ...when(
        ({ job, run, runs }) => job === null && run === null && runs > 0,
        (w) => ({ ...w, job: { run: w.runs, is: 'active' } }),
      ),
    },
    {
      name: 'the connection is taken out of the spec',
      ...when(
        ({ state, wrong }) => state === 'WaitingForCI' && wrong === null,
        (w) => ({ ...w, wrong: 'connectionRef' }),
      ),
    },
    {
      name: 'cancel is requested by kubectl',
      ...when(
        ({ cancel }) => !cancel,
        (w) => ({ ...w, cancel: true }),
      ),
    },
    {
      name: 'the phase is put to Pending by kubectl',
      ...when(
        ({ state, found }) => found === null && state !== 'Pending',
        (w) => ({ ...w, found: 'Pending' }),
      ),
    },
    {
      name: 'an unknown phase is written',
      ...when(
        ({ state }) => state === 'Running',
        (w) => ({ ...w, state: 'Unrecognised' }),
      ),
    },
  ],
  commands: {
    rebuild: { is: 'rebuild' },
    cancel: { is: 'cancel' },
    push: { is: 'push', what: 'main was pushed', head: 'd'.repeat(40), delivery: 'two', over: null },
    pushAgain: { is: 'push', what: 'main was pushed', head: 'c'.repeat(40), delivery: 'one', over: null },
  },
  // A wrong setting precedes any run, so a second run shows nothing new about it.
  within: ({ runs, wrong }) => runs <= (wrong === null ? 2 : 1),
  invariants: {
    digestOfThisRun: { always: ({ digest, run }) => digest === null || digest === run },
    succeededWithDigest: { always: ({ state, digest }) => state !== 'Succeeded' || digest !== null },
    oneJobForARun: { never: ({ created }) => created > 1 },
    pushedDigestLost: {
      never: ({ state, job, run }) => state === 'Failed' && job !== null && job.run === run && job.is === 'pushed',
    },
    otherRunsJobGone: { eventually: ({ state, job, run }) => state === '(none)' || job === null || job.run === run },
    cancelledJobGone: { eventually: ({ state, job }) => state !== 'Cancelled' || job === null },
    comesToRest: {
      eventually: ({ state, wrong, checks }) =>
        ['Succeeded', 'Failed', 'Cancelled', 'Unrecognised', '(none)', '(deleted)'].includes(state) ||
        (state === 'FailedBeforeJob' && (wrong !== null || checks === 'failed')),
    },
  },
};
