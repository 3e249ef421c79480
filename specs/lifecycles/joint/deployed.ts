import { known } from '../../../rules/fact.ts';
import type { Move } from '../../check/subject.ts';
import type { Joint, JointInvariant } from '../../check/joint/joint.ts';
import type { DraftDeployState } from '../../../machines/names.ts';
import { type Gated, other, savedOf, type Version } from './gate.ts';
import { clean, edited, later, type Row } from './row.ts';

/** A resource that is deployed and runs: what stands in it, what runs of it, what somebody remembers. */
export interface Deployed extends Gated {
  /** `status.phase`. */
  readonly phase: string;
  /** What stands in the way: a wait, an error that counts, or one for good. */
  readonly trouble: 'none' | 'waits' | 'counts' | 'forGood';
  readonly runs: Version | null;
  readonly pods: 'none' | 'starting' | 'running' | 'failed';
  /** Whether what was deleted is still ending. */
  readonly ending: boolean;
}

export const isThere = ({ phase }: Deployed) => phase !== '(deleted)';
export const isKept = (world: Deployed) => isThere(world) && !world.deleting;

/** What decides nothing any more is forgotten: of what is being deleted, and of what has no gate. */
export function plainest<World extends Deployed>(world: World): World {
  if (world.deleting) return named({ ...world, ...leftOf(world) });
  const row = givenUp(world.row);
  return named(world.workflow ? { ...world, row } : { ...world, row, pending: false, snapshot: null });
}

/** Once given up, only whether failures led there is told, and the next one counts from the beginning. */
const givenUp = (row: Row): Row => (row.gaveUp ? { ...row, failures: Math.min(row.failures, 1) } : row);

function leftOf({ snapshot, runs, row }: Deployed): Partial<Deployed> {
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
function named<World extends Deployed>(world: World): World {
  const { spec, snapshot, runs, approved } = world;
  const swapped = (version: Version | null) => (version === null ? null : other(version));
  return spec === 0
    ? world
    : { ...world, spec: 0, snapshot: swapped(snapshot), runs: swapped(runs), approved: swapped(approved) };
}

interface Gate<World> {
  readonly standing: (world: World) => DraftDeployState | null;
  readonly approvedBy: (world: World) => World;
}

/** What people and the cluster do to it. */
export const movesOf = <World extends Deployed>(
  { approvedBy }: Gate<World>,
  troubles: readonly World['trouble'][],
): readonly Move<World>[] => [
  {
    name: 'time passes',
    undisturbed: true,
    on: (at) => (isKept(at) ? later(at.row).map((row) => ({ ...at, row })) : []),
  },
  {
    name: 'the pods run',
    undisturbed: true,
    on: (at) => (at.pods === 'starting' ? [{ ...at, pods: 'running' }] : []),
  },
  {
    name: 'what was deleted has ended',
    undisturbed: true,
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
      return at.trouble === 'none' ? troubles.map((trouble) => ({ ...at, trouble })) : [{ ...at, trouble: 'none' }];
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
    name: 'it is deleted',
    on: (at) => (isKept(at) ? [{ ...at, deleting: true, trouble: 'none' }] : []),
  },
];

export const commands: Joint<Deployed>['commands'] = {
  deploy: { machine: 'draftDeploy', facts: { asked: 'deploy' } },
  'deploy without room': {
    machine: 'draftDeploy',
    facts: { asked: 'deploy', room: known({ is: 'tooLittle', why: 'no node has room' }) },
  },
  save: { machine: 'draftDeploy', facts: { asked: 'save' } },
  retry: { machine: 'provisionRetry', facts: { asked: 'retry' } },
};

export const isPass = (step: string) => step.startsWith('pass: ');
const isAsked = (step: string) => step.startsWith('asked: ');
const serves = ({ gate, deleting }: Deployed) => !deleting && gate !== 'Draft';

/** Promises over the row of failures, which the machine of the kind follows. */
const ofTheRow: Readonly<Record<string, JointInvariant<Deployed>>> = {
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
  deployBringsBothOut: {
    holds: 'The pass that finds a deploy of what was given up brings both machines out.',
    alwaysStep: (before, after, step) =>
      !isPass(step) ||
      !before.row.redeployed ||
      !serves(after) ||
      (!after.row.gaveUp && after.phase !== 'ProvisionFailed'),
  },
  retryBringsBothOut: {
    holds: 'The pass after Retry brings it out of ProvisionFailed.',
    alwaysStep: (before, after, step) =>
      !isPass(step) || before.row.gaveUp || before.phase !== 'ProvisionFailed' || after.phase !== 'ProvisionFailed',
  },
  deployIsTakenUp: {
    holds: 'Every deploy is taken up, unless it is deleted first.',
    eventually: ({ row, deleting }) => deleting || !row.redeployed,
  },
};

/** Promises over the gate and what runs. */
const ofTheGate: Readonly<Record<string, JointInvariant<Deployed>>> = {
  deletedAnswersNothing: {
    holds: 'What is asked of what is being deleted is not answered, and deletes nothing.',
    alwaysStep: (before, _, step) => !isAsked(step) || !before.deleting,
  },
  refusedChangesNothing: {
    holds: 'A deploy without room saves nothing.',
    alwaysStep: (before, after, step) =>
      !step.startsWith('asked: deploy without room') || savedOf(before) === savedOf(after),
  },
  waitingNeverRuns: {
    holds: 'What a pass applies is what somebody deployed, or wrote without the gate: a change that waits never runs.',
    alwaysStep: (before, after, step) =>
      isAsked(step) || step.startsWith('world: ') || after.runs === before.runs || after.runs === null
        ? true
        : after.runs === after.approved,
  },
  draftRunsNothing: {
    holds: 'After a pass nothing runs of a draft.',
    alwaysStep: (_, after, step) => !isPass(step) || after.gate !== 'Draft' || after.runs === null,
  },
};

/** What is promised of every kind that is deployed; `untouched` tells whether the same stands outside its object. */
export const invariantsOf = <World extends Deployed>(
  { standing }: Gate<World>,
  untouched: (one: World, two: World) => boolean,
): Readonly<Record<string, JointInvariant<World>>> => ({
  ...(ofTheRow as Readonly<Record<string, JointInvariant<World>>>),
  ...(ofTheGate as Readonly<Record<string, JointInvariant<World>>>),
  givenUpTouchesNothing: {
    holds: 'A pass that comes to ProvisionFailed, or finds it, touches nothing that runs.',
    alwaysStep: (before, after, step) =>
      !isPass(step) || !serves(after) || !after.row.gaveUp || (untouched(before, after) && before.runs === after.runs),
  },
  commandsTouchNothing: {
    holds: 'What is asked touches nothing that runs: Retry in Provisioning applies no workload.',
    alwaysStep: (before, after, step) => !isAsked(step) || untouched(before, after),
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
});
