import type { DatabaseFacts } from '../../../rules/database/facts.ts';
import { type Joint, joint as erased, type Part } from '../../check/joint/joint.ts';
import { lifecycle as database } from '../database.ts';
import { databaseFacts, retryFacts, type World } from './databaseWorld.ts';
import { gateOf, other, running, savedOf } from './gate.ts';
import { clean, edited, later, rowPart } from './row.ts';

const { part: gate, standing, approvedBy } = gateOf<World>('database');

const gone = { runs: null, pods: 'none', connected: false } as const;
const same = (world: World) => world;

const itself: Part<World> = {
  subject: database,
  kept: 'status',
  read: ({ phase }) => phase,
  enter: (world, state) => ({ ...world, phase: state as World['phase'] }),
  facts: databaseFacts,
  does: {
    applyWorkload: (world, { gate: at }: DatabaseFacts) => ({ ...world, runs: running(world, at), pods: 'starting' }),
    deleteWorkload: (world) => ({ ...world, ...gone, ending: world.ending || world.runs !== null }),
    writeConnection: (world) => ({ ...world, connected: true }),
    createRestoreJob: same,
    failAttempt: same,
    recordFailure: same,
    recordHost: same,
    recordRestored: same,
    retireArchive: same,
    startAttempt: same,
    startFinalBackup: same,
    succeedAttempt: same,
  },
  ensures: { noWorkload: (world) => ({ ...world, ...gone }) },
};

const first: World = {
  phase: '(none)',
  gate: '(none)',
  external: false,
  enabled: false,
  workflow: true,
  pending: true,
  spec: 0,
  snapshot: null,
  row: clean,
  trouble: 'none',
  ...gone,
  deleting: false,
  ending: false,
  approved: null,
};
const byHand: World = approvedBy({ ...first, enabled: true, workflow: false, pending: false });

const isThere = ({ phase }: World) => phase !== '(deleted)';
const isKept = (world: World) => isThere(world) && !world.deleting;
/** What decides nothing any more is forgotten: of a database that is being deleted, and of one without the gate. */
function plainest(world: World): World {
  if (world.deleting) return named({ ...world, ...leftOf(world) });
  return named(world.workflow ? world : { ...world, pending: false, snapshot: null });
}

function leftOf({ snapshot, runs, row }: World): Partial<World> {
  const { gaveUp, failures, hurried, redeployed } = row;
  return {
    spec: 0,
    snapshot: snapshot === null ? null : 0,
    runs: runs === null ? null : 0,
    row: { ...clean, gaveUp, hurried, redeployed, failures: Math.min(failures, 1) },
    approved: null,
  };
}

/** Which of two versions is called which makes no difference: that of the spec is the first. */
function named(world: World): World {
  const { spec, snapshot, runs, approved } = world;
  const swapped = (version: typeof snapshot) => (version === null ? null : other(version));
  return spec === 0
    ? world
    : { ...world, spec: 0, snapshot: swapped(snapshot), runs: swapped(runs), approved: swapped(approved) };
}

/** Whether the same runs of a database, and the same is written outside its object. */
const isUntouched = (one: World, two: World) => isAsStanding(one, two) && one.runs === two.runs;
/** The same, whichever version runs: what is saved renames them. */
const isAsStanding = (one: World, two: World) =>
  (one.runs === null) === (two.runs === null) &&
  one.pods === two.pods &&
  one.connected === two.connected &&
  one.ending === two.ending;
const isPass = (step: string) => step.startsWith('pass: ');
const isAsked = (step: string) => step.startsWith('asked: ');
const serves = ({ gate: at, deleting }: World) => !deleting && at !== 'Draft';

/** A database that people deploy, save, retry, edit and delete, while what it needs comes and goes. */
export const world: Joint<World> = {
  name: 'database',
  parts: [gate, rowPart(retryFacts), itself],
  start: [first, { ...first, external: true }, byHand, { ...byHand, external: true }],
  moves: [
    {
      name: 'time passes',
      calm: true,
      on: (at) => (isKept(at) ? later(at.row).map((row) => ({ ...at, row })) : []),
    },
    {
      name: 'the pods run',
      calm: true,
      on: (at) => (at.pods === 'starting' ? [{ ...at, pods: 'running' }] : []),
    },
    {
      name: 'what was deleted has ended',
      calm: true,
      on: (at) => (at.ending ? [{ ...at, ending: false }] : []),
    },
    {
      name: 'every pod fails',
      on: (at) => (isKept(at) && (at.pods === 'starting' || at.pods === 'running') ? [{ ...at, pods: 'failed' }] : []),
    },
    {
      name: 'something stands in the way, or no more',
      on: (at) => {
        if (!isKept(at)) return [];
        return at.trouble === 'none'
          ? (['waits', 'counts', 'forGood'] as const).map((trouble) => ({ ...at, trouble }))
          : [{ ...at, trouble: 'none' }];
      },
    },
    {
      name: 'somebody edits the spec',
      on: (at) => (isKept(at) ? [approvedBy({ ...at, spec: other(at.spec), row: edited(at.row) })] : []),
    },
    {
      name: 'somebody turns the gate',
      on: (at) => (isKept(at) ? [approvedBy({ ...at, enabled: !at.enabled, row: edited(at.row) })] : []),
    },
    {
      name: 'somebody takes the workflow annotation away',
      on: (at) => (isKept(at) && at.workflow ? [approvedBy({ ...at, workflow: false })] : []),
    },
    {
      name: 'the connection Secret is deleted',
      on: (at) => (isKept(at) && at.connected ? [{ ...at, connected: false }] : []),
    },
    {
      name: 'it is deleted',
      on: (at) => (isKept(at) ? [{ ...at, deleting: true, trouble: 'none' }] : []),
    },
  ],
  commands: {
    deploy: { machine: 'draftDeploy', facts: { asked: 'deploy' } },
    'deploy without room': {
      machine: 'draftDeploy',
      facts: { asked: 'deploy', room: { is: 'tooLittle', why: 'no node has room' } },
    },
    save: { machine: 'draftDeploy', facts: { asked: 'save' } },
    retry: { machine: 'provisionRetry', facts: { asked: 'retry' } },
  },
  isThere,
  within: isThere,
  plainest,
  promises: {
    countsOnceInHalfAMinute: {
      holds: 'A failure counts once in half a minute, however many passes meet it.',
      never: ({ row }) => row.hurried,
    },
    fifthEnds: {
      holds: 'Five failures that counted in a row, and no more, end in ProvisionFailed.',
      never: ({ row }) => row.failures >= 5 && !row.gaveUp,
    },
    givenUpTogether: {
      holds: 'A pass that finds it in service ends with both machines given up, or neither.',
      alwaysStep: (before, after, step) =>
        !isPass(step) ||
        !serves(after) ||
        (before.phase !== 'Provisioning' && before.phase !== 'Ready') ||
        after.row.gaveUp === (after.phase === 'ProvisionFailed'),
    },
    givenUpTouchesNothing: {
      holds: 'A pass that comes to ProvisionFailed, or finds it, touches nothing that runs.',
      alwaysStep: (before, after, step) =>
        !isPass(step) || !serves(after) || !after.row.gaveUp || isUntouched(before, after),
    },
    commandsTouchNothing: {
      holds: 'What is asked touches nothing that runs: Retry in Provisioning applies no workload.',
      alwaysStep: (before, after, step) => !isAsked(step) || isAsStanding(before, after),
    },
    deletedAnswersNothing: {
      holds: 'What is asked of a database that is being deleted is not answered, and deletes nothing.',
      alwaysStep: (before, _, step) => !isAsked(step) || !before.deleting,
    },
    refusedChangesNothing: {
      holds: 'A deploy without room saves nothing.',
      alwaysStep: (before, after, step) =>
        !step.startsWith('asked: deploy without room') ||
        savedOf(before) === savedOf(after),
    },
    deployBringsBothOut: {
      holds: 'The pass that finds a deploy of a database that was given up brings both machines out.',
      alwaysStep: (before, after, step) =>
        !isPass(step) ||
        !before.row.redeployed ||
        !serves(after) ||
        (!after.row.gaveUp && after.phase !== 'ProvisionFailed'),
    },
    retryBringsBothOut: {
      holds: 'The pass after Retry brings the database out of ProvisionFailed.',
      alwaysStep: (before, after, step) =>
        !isPass(step) || before.row.gaveUp || before.phase !== 'ProvisionFailed' || after.phase !== 'ProvisionFailed',
    },
    waitingNeverRuns: {
      holds:
        'What a pass applies is what somebody deployed, or wrote without the gate: a change that waits never runs.',
      alwaysStep: (before, after, step) =>
        isAsked(step) || step.startsWith('world: ') || after.runs === before.runs || after.runs === null
          ? true
          : after.runs === after.approved,
    },
    draftRunsNothing: {
      holds: 'After a pass nothing runs of a draft.',
      alwaysStep: (_, after, step) => !isPass(step) || after.gate !== 'Draft' || after.runs === null,
    },
    endLeavesNothing: {
      holds: 'When its life has ended, nothing of it is left.',
      always: (at) => at.phase !== '(deleted)' || (at.runs === null && !at.connected && !at.ending),
    },
    deployIsTakenUp: {
      holds: 'Every deploy is taken up, unless it is deleted first.',
      eventually: ({ row, deleting }) => deleting || !row.redeployed,
    },
    settles: {
      holds: 'Left alone it is a draft, Ready, given up, waiting for what it needs, or gone when it is deleted.',
      eventually: (at) => {
        if (at.deleting) return at.phase === '(deleted)';
        if (standing(at) === 'Draft') return at.phase === 'Draft';
        if (at.trouble === 'waits') return at.phase === 'Provisioning' || at.phase === 'ProvisionFailed';
        return at.phase === 'Ready' || at.phase === 'ProvisionFailed';
      },
    },
  },
  budget: { worlds: 250_000, seconds: 60 },
};

export const joint = erased(world);
