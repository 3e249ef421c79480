import type { ProjectReadyState } from '../../../machines/names.ts';
import { known } from '../../../rules/fact.ts';
import type { ProjectReadyFacts } from '../../../rules/projectReady/facts.ts';
import type { Model } from '../../check/subject.ts';
import { unreadVariable } from './facts.ts';

const problems = [
  'none',
  'clusterMissing',
  'clusterNotReady',
  'environmentDoubled',
  'projectInvalid',
  'environmentInvalid',
  'namespaceInvalid',
  'namespaceTaken',
  'writesRefused',
  'writesAwaited',
  'variableMissing',
] as const;
type Problem = (typeof problems)[number];

/** A project on one of two clusters, its one possible fault, and its counter of errors. */
interface World {
  readonly state: ProjectReadyState;
  readonly problem: Problem;
  readonly cluster: 'local' | 'other';
  readonly recorded: '' | 'local' | 'other';
  /** Whether every namespace and policy exists. */
  readonly whole: boolean;
  /** Consecutive counted errors, as another lifecycle counts them. */
  readonly failures: number;
  readonly edited: boolean;
  readonly deleted: boolean;
  /** Whether anything was set up after that. */
  readonly late: boolean;
  /** Whether every error since the first counted one was temporary. */
  readonly onlyTemporary: boolean;
}

const moved = ({ cluster, recorded }: World) => recorded !== '' && recorded !== cluster;
const counts = (world: World) => {
  const { problem, whole } = world;
  if (problem === 'clusterMissing') return true;
  if (
    moved(world) ||
    ['none', 'clusterNotReady', 'environmentDoubled', 'writesAwaited', 'variableMissing'].includes(problem)
  )
    return false;
  return problem !== 'writesRefused' || !whole;
};

const fresh = { failures: 0, edited: false, onlyTemporary: true } as const;

/** The counter of the other lifecycle after a pass in this world. */
const rowAfter = (world: World) => {
  const before = world.edited ? 0 : world.failures;
  return counts(world) ? before + 1 : before;
};

function retryOf(world: World): ProjectReadyFacts['retry'] {
  if (world.deleted) return world.failures > 0 ? 'Counting' : 'Clean';
  if (world.state === 'ProvisionFailed') return world.edited ? 'Clean' : 'ProvisionFailed';
  if (rowAfter(world) >= 5) return 'ProvisionFailed';
  return rowAfter(world) > 0 ? 'Counting' : 'Clean';
}

/** The world after a pass: the counter of the other lifecycle, and what an observer remembers. */
function entered(world: World, state: ProjectReadyState): World {
  if (world.deleted) return { ...world, state };
  if (world.state === 'ProvisionFailed') return world.edited ? { ...world, ...fresh, state } : { ...world, state };
  if (state === 'ProjectReady') return { ...world, ...fresh, state };
  const onlyTemporary = (world.edited || world.onlyTemporary) && !counts(world);
  return { ...world, state, failures: rowAfter(world), edited: false, onlyTemporary };
}

const long = 'x'.repeat(60);
const secondEnvironment: Partial<Readonly<Record<Problem, string>>> = {
  environmentDoubled: 'production',
  environmentInvalid: 'Staging',
  namespaceInvalid: long,
};
const failures: Partial<Readonly<Record<Problem, NonNullable<ProjectReadyFacts['failure']>>>> = {
  writesRefused: { counts: 'counted', why: 'forbidden' },
  writesAwaited: { counts: 'waiting', why: 'no answer' },
};
const clusters: Partial<Readonly<Record<Problem, ProjectReadyFacts['cluster']>>> = {
  clusterMissing: 'absent',
  clusterNotReady: 'notReady',
};

function factsOf(world: World): ProjectReadyFacts {
  const { problem, cluster, recorded, whole } = world;
  const second = secondEnvironment[problem];
  return {
    now: 0,
    project: problem === 'projectInvalid' ? 'Shop' : 'shop',
    deleted: world.deleted,
    environments: second === undefined ? ['production'] : ['production', second],
    remaining: world.deleted ? [{ is: 'project', name: 'shop', everything: false, left: [] }] : [],
    clusterRef: cluster,
    observedClusterRef: recorded,
    cluster: clusters[problem] ?? 'ready',
    namespaces: known([
      {
        name: 'shop-production',
        is: problem === 'namespaceTaken' ? 'taken' : whole ? 'own' : 'absent',
        isWhole: problem !== 'namespaceTaken' && whole,
      },
    ]),
    missingPieces: whole ? [] : ['NetworkPolicy shop-production/core-block-cloud-metadata'],
    contested: [],
    failure: whole ? null : (failures[problem] ?? null),
    missingVariables: problem === 'variableMissing' ? [unreadVariable] : [],
    terminating: [],
    retry: retryOf(world),
  };
}

/** A project whose spec, cluster and namespaces others change. */
export const model: Model<World, ProjectReadyFacts, ProjectReadyState> = {
  start: [
    {
      ...fresh,
      state: 'Reconciling',
      problem: 'none',
      cluster: 'local',
      recorded: '',
      whole: false,
      deleted: false,
      late: false,
    },
  ],
  state: ({ state }) => state,
  enter: (world, state) => entered(world, state as ProjectReadyState),
  facts: factsOf,
  does: {
    provision: (world) => ({ ...world, whole: true, late: world.deleted }),
    recordEnvironments: (world) => ({ ...world, recorded: world.cluster }),
  },
  moves: [
    { name: 'something is wrong, or right again', on: (world) => problems.map((problem) => ({ ...world, problem })) },
    { name: 'a policy is deleted by hand', on: (world) => (world.whole ? [{ ...world, whole: false }] : []) },
    { name: 'it is deleted', on: (world) => [{ ...world, deleted: true }] },
    { name: 'the spec is edited', on: (world) => [{ ...world, edited: true }] },
    {
      name: 'another cluster is asked for',
      on: (world) => [{ ...world, cluster: world.cluster === 'local' ? 'other' : 'local', edited: true }],
    },
  ],
  within: ({ failures }) => failures <= 5,
  invariants: {
    readyMeansWhole: {
      alwaysStep: (before, after) =>
        before.state === 'ProjectReady' ||
        after.state !== 'ProjectReady' ||
        (before.whole && !moved(before) && ['none', 'writesRefused', 'writesAwaited'].includes(before.problem)),
    },
    clusterNeverMoves: {
      alwaysStep: (before, after) => before.recorded === '' || before.recorded === after.recorded,
    },
    temporaryNeverGivesUp: { never: ({ state, onlyTemporary }) => state === 'ProvisionFailed' && onlyTemporary },
    pausedUntilEdited: {
      alwaysStep: (before, after) =>
        before.state !== 'ProvisionFailed' || after.state === 'ProvisionFailed' || before.edited,
    },
    deletedSetsUpNothing: { never: ({ late }) => late },
    settles: {
      eventually: (world) => {
        const { state, problem, deleted } = world;
        if (deleted || state === 'ProvisionFailed') return true;
        if (counts(world)) return false;
        if (moved(world) || ['clusterNotReady', 'environmentDoubled'].includes(problem))
          return state === 'ReconcileError';
        if (problem === 'writesAwaited' && state === 'ReconcileError') return true;
        return problem === 'variableMissing' || state === 'ProjectReady';
      },
    },
  },
};
