import type { DeploymentRecordEnsure, DeploymentRecordState } from '../../../machines/names.ts';
import type { DeploymentRecordFacts } from '../../../rules/deploymentRecord/facts.ts';
import type { Model, Move } from '../../check/subject.ts';

type State = DeploymentRecordState | '(none)' | '(deleted)';

/** One record, and the others of its service. */
interface World {
  readonly state: State;
  /** Listed: the service was deployed; created: its record exists, and its status is still to be written. */
  readonly deploy: 'none' | 'listed' | 'created';
  readonly now: number;
  readonly appDeleted: boolean;
  /** How many records of the service are older and newer. */
  readonly older: number;
  readonly newer: number;
  readonly startedAt: number | null;
  readonly completedAt: number | null;
}

const first: World = {
  state: '(none)',
  deploy: 'none',
  now: 100,
  appDeleted: false,
  older: 0,
  newer: 0,
  startedAt: null,
  completedAt: null,
};

const moves: readonly Move<World>[] = [
  {
    name: 'the service is deployed, rolled back or loses its domain',
    on: (world) => (world.deploy === 'none' && !world.appDeleted ? [{ ...world, deploy: 'listed' }] : []),
  },
  {
    name: 'a pass over the service creates the record',
    undisturbed: true,
    on: (world) => (world.deploy === 'listed' && !world.appDeleted ? [{ ...world, deploy: 'created' }] : []),
  },
  {
    name: 'a newer record is added',
    on: (world) =>
      world.state === 'Recorded' && !world.appDeleted && world.newer < 14
        ? [{ ...world, now: world.now + 1, newer: world.newer + 1 }]
        : [],
  },
  {
    name: 'the service is deleted',
    on: (world) => (world.appDeleted ? [] : [{ ...world, appDeleted: true }]),
  },
];

const gone = (world: World): World => (world.state === 'Recorded' ? { ...world, state: '(deleted)' } : world);
const isBeyond = ({ newer }: World) => newer >= 12;

const ensures: Readonly<Record<DeploymentRecordEnsure, (world: World) => World>> = {
  newestTwelve: (world) => (isBeyond(world) ? gone(world) : world),
  ownService: (world) => (world.appDeleted ? gone(world) : world),
};

/** The records of one service. */
export const model: Model<World, DeploymentRecordFacts, DeploymentRecordState> = {
  start: [first, { ...first, older: 12 }],
  state: ({ state }) => state,
  enter: (world, state) => ({ ...world, state }),
  facts: ({ deploy, now, newer }) => ({ now, app: 'shop', deployedAt: deploy === 'created' ? 100 : null, newer }),
  does: { record: (world) => ({ ...world, startedAt: 100, completedAt: 100 }) },
  ensures,
  moves,
  asks: (world, named) => (named === 'outlived' ? isBeyond(world) : world.appDeleted),
  within: () => true,
  invariants: {
    newestTwelveStay: {
      alwaysStep: (before, after) =>
        before.state !== 'Recorded' || after.state === 'Recorded' || before.appDeleted || isBeyond(before),
    },
    olderGo: { eventually: ({ state, newer }) => state !== 'Recorded' || newer < 12 },
    goneWithService: { eventually: ({ state, appDeleted }) => state !== 'Recorded' || !appDeleted },
    momentsAgree: {
      always: ({ state, startedAt, completedAt }) => state === '(none)' || (startedAt === 100 && completedAt === 100),
    },
  },
};
