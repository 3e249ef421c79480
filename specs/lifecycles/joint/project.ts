import type { ProjectReadyState, ProvisionRetryState } from '../../../machines/names.ts';
import { known } from '../../../rules/fact.ts';
import type { ProjectReadyFacts, ProjectObserved } from '../../../rules/projectReady/facts.ts';
import { projectOutcome } from '../../../rules/projectReady/ready.ts';
import type { ProvisionRetryFacts } from '../../../rules/provisionRetry/facts.ts';
import { type Deciding, joint as erased, type Joint, type Part } from '../../check/joint/joint.ts';
import { unreadVariable } from '../projectReady/facts.ts';
import { lifecycle as projectReady } from '../projectReady.ts';
import { lifecycle as provisionRetry } from '../provisionRetry.ts';
import { clean, edited, later, readRow, type Row, rowDoes, rowFacts } from './row.ts';

const troubles = [
  'none',
  'clusterMissing',
  'clusterNotReady',
  'environmentDoubled',
  'projectInvalid',
  'variableMissing',
] as const;

/** A project: its objects, whether it is set up, what is wrong, and what an observer remembers. */
interface World {
  /** `status.phase`. */
  readonly phase: ProjectReadyState;
  readonly row: Row;
  readonly trouble: (typeof troubles)[number];
  /** Whether every namespace and policy exists. */
  readonly whole: boolean;
  readonly recorded: boolean;
  readonly deleting: boolean;
  /** Whether every error since the first counted one was temporary. */
  readonly patient: boolean;
}

const clusters = { clusterMissing: 'absent', clusterNotReady: 'notReady' } as const;

const seenOf = (world: World, { failure }: Deciding): ProjectObserved => {
  const { trouble } = world;
  return {
    project: trouble === 'projectInvalid' ? 'Shop' : 'shop',
    deleted: world.deleting,
    environments: trouble === 'environmentDoubled' ? ['production', 'production'] : ['production'],
    remaining: [],
    clusterRef: 'local',
    observedClusterRef: world.recorded ? 'local' : '',
    cluster: trouble === 'clusterMissing' || trouble === 'clusterNotReady' ? clusters[trouble] : 'ready',
    namespaces: known([{ name: 'shop-production', is: 'own', isWhole: true }]),
    missingPieces: world.whole ? [] : ['NetworkPolicy shop-production/core-project-isolation'],
    contested: [],
    failure: failure && { counts: failure.counts, why: failure.why },
    missingVariables: trouble === 'variableMissing' ? [unreadVariable] : [],
    terminating: [],
  };
};

const outcomeOf = (world: World, deciding: Deciding) => projectOutcome(seenOf(world, deciding));

/** The failure that an observer saw: only a counted one ends the belief that it is temporary. */
const seenFailing = (world: World): World => ({ ...world, patient: false });

const retry: Part<World> = {
  subject: provisionRetry,
  kept: 'status',
  read: ({ row }) => readRow(row),
  enter: (world) => world,
  facts: (world, deciding): ProvisionRetryFacts => ({
    ...rowFacts(world.row),
    deleted: world.deleting,
    rowOf: 'oneKind',
    outcome: outcomeOf(world, deciding),
  }),
  does: Object.fromEntries(
    Object.entries(rowDoes).map(([name, write]) => [
      name,
      (world: World, facts: ProvisionRetryFacts) => {
        const counts =
          facts.outcome.is === 'known' && facts.outcome.value.is === 'failed' && facts.outcome.value.counts;
        const met = counts === 'counted' ? seenFailing(world) : world;
        return { ...met, row: write(world.row, facts), patient: name === 'clearRow' ? true : met.patient };
      },
    ]),
  ),
};

const itself: Part<World> = {
  subject: projectReady,
  kept: 'status',
  read: ({ phase }) => phase,
  enter: (world, state) => ({ ...world, phase: state as ProjectReadyState }),
  facts: (world, deciding): ProjectReadyFacts => ({
    ...seenOf(world, deciding),
    now: 0,
    retry: (deciding.others['provisionRetry']?.state ?? 'Clean') as ProvisionRetryState,
  }),
  does: {
    provision: (world) => ({ ...world, whole: true }),
    recordEnvironments: (world) => ({ ...world, recorded: true }),
  },
};

const isPass = (step: string) => step.startsWith('pass: ');
const waits = ({ trouble }: World) => trouble === 'clusterNotReady' || trouble === 'environmentDoubled';

/** A project that others edit and delete, whose cluster and policies come and go. */
const world: Joint<World> = {
  name: 'project',
  parts: [retry, itself],
  start: [
    {
      phase: 'Reconciling',
      row: clean,
      trouble: 'none',
      whole: false,
      recorded: false,
      deleting: false,
      patient: true,
    },
  ],
  moves: [
    { name: 'time passes', undisturbed: true, on: (at) => later(at.row).map((row) => ({ ...at, row })) },
    {
      name: 'something is wrong, or right again',
      on: (at) => troubles.filter((trouble) => trouble !== at.trouble).map((trouble) => ({ ...at, trouble })),
    },
    { name: 'a policy is deleted by hand', on: (at) => (at.whole ? [{ ...at, whole: false }] : []) },
    { name: 'the spec is edited', on: (at) => [{ ...at, row: edited(at.row) }] },
    { name: 'it is deleted', on: (at) => (at.deleting ? [] : [{ ...at, deleting: true }]) },
  ],
  // A project has no command `retry`, so nothing may answer it on any machine.
  commands: {},
  isThere: () => true,
  within: () => true,
  plainest: (at) => at,
  invariants: {
    countsOnceInHalfAMinute: {
      holds: 'A failure counts once in half a minute, however many passes meet it.',
      never: ({ row }) => row.hurried,
    },
    fifthEnds: {
      holds: 'Five failures of one kind that counted in a row, and no more, end in ProvisionFailed.',
      never: ({ row }) => row.failures >= 5 && !row.gaveUp,
    },
    givenUpTogether: {
      holds: 'After a pass both machines are given up, or neither is, unless it is deleted.',
      alwaysStep: (_, after, step) =>
        !isPass(step) || after.deleting || after.row.gaveUp === (after.phase === 'ProvisionFailed'),
    },
    givenUpSetsUpNothing: {
      holds: 'A pass that comes to ProvisionFailed, or finds it, sets up nothing.',
      alwaysStep: (before, after, step) => !isPass(step) || !after.row.gaveUp || after.whole === before.whole,
    },
    deletedSetsUpNothing: {
      holds: 'Nothing is set up, and nothing counts, of a project that is being deleted.',
      alwaysStep: (before, after, step) =>
        step.startsWith('world: ') ||
        !before.deleting ||
        JSON.stringify([before.whole, before.phase, before.row]) ===
          JSON.stringify([after.whole, after.phase, after.row]),
    },
    temporaryNeverGivesUp: {
      holds: 'A project that met only temporary errors is never given up.',
      never: ({ row, patient }) => row.gaveUp && patient,
    },
    editBringsBothOut: {
      holds: 'The pass after an edit of a project that was given up brings both machines out, and nothing else does.',
      alwaysStep: (before, after, step) =>
        !isPass(step) || before.deleting || !before.row.gaveUp || after.row.gaveUp !== before.row.edited,
    },
    settles: {
      holds: 'Left alone it is ready, given up, waiting for what it needs, or being deleted.',
      eventually: (at) => {
        if (at.deleting || at.phase === 'ProvisionFailed') return true;
        if (waits(at)) return at.phase === 'ReconcileError';
        return at.phase === 'ProjectReady' || at.trouble === 'variableMissing';
      },
    },
  },
  budget: { worlds: 20_000, seconds: 10 },
};

export const joint = erased(world);
