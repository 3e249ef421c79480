import type { ActiveDeploymentState } from '../../../machines/names.ts';
import type { ActiveDeploymentFacts } from '../../../rules/activeDeployment/facts.ts';
import type { Model, Move } from '../../check/subject.ts';

type State = ActiveDeploymentState | '(none)' | '(deleted)';

/** A service, its Deployment, and its record. */
interface World {
  readonly state: State;
  readonly app: 'draft' | 'deployed' | 'deleted';
  readonly workload: { readonly wanted: number; readonly available: number } | null;
  readonly asleep: boolean;
  /** The number of active records. */
  readonly records: number;
  /** `status.availableReplicas`. */
  readonly recorded: number | null;
  /** A record was written although there was nothing to record. */
  readonly wroteIdly: boolean;
}

const first: World = {
  state: '(none)',
  app: 'draft',
  workload: null,
  asleep: false,
  records: 0,
  recorded: null,
  wroteIdly: false,
};

const alive = ({ app }: World) => app !== 'deleted';
const toRecord = ({ app, workload }: World) => app === 'deployed' && workload !== null;
const wrote = (world: World): World => ({
  ...world,
  recorded: world.workload?.available ?? null,
  wroteIdly: world.wroteIdly || !toRecord(world),
});

const moves: readonly Move<World>[] = [
  {
    name: 'the service is deployed',
    on: (world) => (world.app === 'draft' ? [{ ...world, app: 'deployed' }] : []),
  },
  {
    name: 'the Deployment is made',
    on: (world) =>
      world.app === 'deployed' && world.workload === null ? [{ ...world, workload: { wanted: 1, available: 0 } }] : [],
  },
  {
    name: 'the service is put back to a draft',
    on: (world) => (world.app === 'deployed' ? [{ ...world, app: 'draft' }] : []),
  },
  {
    name: 'the Deployment goes',
    on: (world) => (world.app === 'deployed' || world.workload === null ? [] : [{ ...world, workload: null }]),
  },
  {
    name: 'the service is scaled',
    on: (world) =>
      alive(world) && world.workload !== null
        ? [0, 1, 2].map((wanted) => ({ ...world, workload: { available: world.workload?.available ?? 0, wanted } }))
        : [],
  },
  {
    name: 'pods come or go',
    on: (world) =>
      alive(world) && world.workload !== null
        ? [0, 1, 2].map((available) => ({ ...world, workload: { wanted: world.workload?.wanted ?? 0, available } }))
        : [],
  },
  {
    name: 'the service falls asleep or wakes',
    on: (world) => (alive(world) ? [{ ...world, asleep: !world.asleep }] : []),
  },
  {
    name: 'the service is deleted',
    on: (world) => (alive(world) ? [{ ...world, app: 'deleted' }] : []),
  },
];

const isAvailableMessage = ({ asleep, workload }: World) =>
  asleep || (workload?.available ?? 0) >= (workload?.wanted ?? 0);

/** A service that is deployed, scaled, put to sleep and deleted. */
export const model: Model<World, ActiveDeploymentFacts, ActiveDeploymentState> = {
  start: [first],
  state: ({ state }) => state,
  enter: (world, state) => ({ ...world, state, records: state === '(deleted)' ? 0 : world.records }),
  facts: ({ app, workload, asleep }) => ({ now: 0, deployed: app === 'deployed', workload, asleep }),
  does: {
    createRecord: (world) => wrote({ ...world, records: world.records + 1 }),
    updateRecord: wrote,
    updateStatus: wrote,
  },
  moves,
  asks: ({ app }) => app === 'deleted',
  within: () => true,
  invariants: {
    oneRecord: { never: ({ records }) => records > 1 },
    recordMovesNothing: {
      alwaysStep: (before, after, step) =>
        step.startsWith('world: ') ||
        JSON.stringify([after.workload, after.asleep]) === JSON.stringify([before.workload, before.asleep]),
    },
    onlyDeployedRecorded: { never: ({ wroteIdly }) => wroteIdly },
    tellsWhatRuns: {
      eventually: (world) =>
        !toRecord(world) ||
        (world.recorded === world.workload?.available &&
          world.state === (isAvailableMessage(world) ? 'Available' : 'RollingOut')),
    },
  },
};
