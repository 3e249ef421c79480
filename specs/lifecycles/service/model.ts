import type { ServiceState } from '../../../machines/names.ts';
import type { ServiceFacts } from '../../../rules/service/facts.ts';
import type { Model } from '../../check/subject.ts';
import {
  afterPass,
  undisturbedMoves,
  deletion,
  deployMove,
  gateMove,
  isAlive,
  noTrouble,
  retryMoves,
} from '../provision/moves.ts';
import { factsOf, first, retried, type World } from './world.ts';

const gone = { workload: 'absent', pods: 'none' } as const;
const inService = (world: World) =>
  isAlive(world) && (['Provisioning', 'Ready', 'Asleep'] as readonly string[]).includes(world.state);

const same = (world: World) => world;

/** One service among people who deploy, withdraw and delete it, and a cluster that comes and goes. */
export const model: Model<World, ServiceFacts, ServiceState> = {
  start: [first, { ...first, open: false }, { ...first, build: 'Running' }],
  state: ({ state }) => state,
  enter: (world, state) => afterPass(world, state, retried(world)),
  facts: factsOf,
  does: {
    applyWorkload: (world) => ({
      ...world,
      workload: 'current',
      pods: world.pods === 'asleep' ? 'asleep' : 'starting',
    }),
    deleteWorkload: (world) => ({ ...world, ...gone, ending: world.ending || world.workload !== 'absent' }),
    startAttempt: (world) => ({ ...world, attempting: true }),
    succeedAttempt: (world) => ({ ...world, attempting: false }),
    failAttempt: (world) => ({ ...world, attempting: false }),
    recordFailure: same,
    attachBuild: same,
  },
  ensures: { noWorkload: (world) => ({ ...world, ...gone, ...noTrouble }) },
  moves: [
    {
      name: 'the pods run',
      undisturbed: true,
      on: (world) => (world.pods === 'starting' || world.pods === 'failed' ? [{ ...world, pods: 'running' }] : []),
    },
    {
      name: 'the build succeeds',
      undisturbed: true,
      on: (world) =>
        world.build === 'Running' && isAlive(world)
          ? [{ ...world, build: 'Succeeded', again: world.open ? 'deploy' : world.again }]
          : [],
    },
    {
      name: 'the build fails, or is run again',
      on: (world) => {
        if (world.build === null || !isAlive(world)) return [];
        return [{ ...world, build: world.build === 'Running' ? 'Failed' : 'Running' }];
      },
    },
    {
      name: 'what was deleted has ended',
      undisturbed: true,
      on: (world) => (world.ending ? [{ ...world, ending: false }] : []),
    },
    ...undisturbedMoves(inService),
    {
      name: 'something stands in the way',
      on: (world) =>
        inService(world) && world.trouble === 'none' && world.retry === 'clean'
          ? (['project', 'away', 'nodes', 'denied'] as const).map((trouble) => ({ ...world, trouble }))
          : [],
    },
    {
      name: 'a pod ends, or every pod fails',
      on: (world) =>
        inService(world) && (world.pods === 'running' || world.pods === 'starting')
          ? (['starting', 'failed'] as const).map((pods) => ({ ...world, pods }))
          : [],
    },
    {
      name: 'nobody asks for it any more, or somebody asks again',
      on: (world) => {
        if (!inService(world) || world.workload === 'absent') return [];
        if (world.pods === 'asleep') return [{ ...world, pods: 'starting' }];
        return world.pods === 'running' || world.pods === 'failed' ? [{ ...world, pods: 'asleep' }] : [];
      },
    },
    gateMove(),
    {
      name: 'the deployed spec changes',
      on: (world) => (isAlive(world) && world.workload === 'current' ? [{ ...world, workload: 'stale' }] : []),
    },
    deployMove(),
    ...retryMoves(inService),
    deletion(),
  ],
  within: ({ state }) => state !== '(deleted)',
  invariants: {
    nothingRunsAsDraft: { always: ({ state, workload }) => state !== 'Draft' || workload === 'absent' },
    nothingDoneOnceGivenUp: {
      alwaysStep: (before, after, step) =>
        !(step.startsWith('pass') && (before.state === 'ProvisionFailed' || after.state === 'ProvisionFailed')) ||
        before.deleting ||
        !before.open ||
        (after.workload === before.workload && after.pods === before.pods),
    },
    readyRuns: {
      alwaysStep: (before, after, step) =>
        !(step.startsWith('pass') && before.state === 'Provisioning' && after.state === 'Ready') ||
        (after.workload === 'current' && after.pods === 'running'),
    },
    asleepRunsNothing: {
      alwaysStep: (before, after, step) =>
        !(step.startsWith('pass') && before.state !== 'Asleep' && after.state === 'Asleep') ||
        (after.workload === 'current' && after.pods === 'asleep'),
    },
    settles: {
      eventually: ({ state, open, deleting, build }) =>
        deleting ||
        !open ||
        build === 'Failed' ||
        (['Ready', 'Asleep', 'ProvisionFailed'] as readonly string[]).includes(state),
    },
    attemptEndsBuilt: {
      alwaysStep: (before, after, step) =>
        !(step.startsWith('pass') && before.attempting && !after.attempting && after.state !== 'ProvisionFailed') ||
        before.build === null ||
        before.build === 'Succeeded',
    },
    deletionEnds: { eventually: ({ state, deleting }) => !deleting || state === '(deleted)' },
  },
};
