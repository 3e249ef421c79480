import type { DeploymentRecordState } from '../../../machines/names.ts';
import type { DeploymentRecordFacts, RecordSeen } from '../../../rules/deploymentRecord/facts.ts';
import type { Model, Move } from '../../check/subject.ts';

type State = DeploymentRecordState | '(none)' | '(deleted)';

/** One record, and the others of its service. */
interface World {
  readonly state: State;
  readonly now: number;
  readonly appDeleted: boolean;
  readonly done: DeploymentRecordFacts['done'];
  readonly added: boolean;
  /** The number of records of the service written before and after this one. */
  readonly older: number;
  readonly newer: number;
  /** The controller's own record exists, and is newer than any other. */
  readonly active: boolean;
  readonly startedAt: number | null;
  readonly completedAt: number | null;
}

const first: World = {
  state: '(none)',
  now: 100,
  appDeleted: false,
  done: null,
  added: false,
  older: 0,
  newer: 0,
  active: false,
  startedAt: null,
  completedAt: null,
};

const moves: readonly Move<World>[] = [
  {
    name: 'the service is deployed, rolled back or loses its domain',
    on: (world) =>
      world.state === '(none)' && world.done === null && !world.appDeleted
        ? (['deploy', 'rollback', 'clearDomain'] as const).map((done) => ({ ...world, done }))
        : [],
  },
  {
    name: 'a newer record is added',
    on: (world) =>
      world.state === 'Recorded' && !world.appDeleted && world.newer < 14
        ? [{ ...world, now: world.now + 1, newer: world.newer + 1, added: true }]
        : [],
  },
  {
    name: 'the controller writes its own record',
    on: (world) => (world.active || world.appDeleted ? [] : [{ ...world, active: true }]),
  },
  {
    name: 'the service is deleted',
    on: (world) => (world.appDeleted ? [] : [{ ...world, appDeleted: true, active: false, done: null }]),
  },
];

const others = (count: number, from: number): readonly RecordSeen[] =>
  Array.from({ length: count }, (_, index) => ({ name: `shop-${from + index}`, appLabel: 'shop', at: from + index }));

/** The records of one service. */
export const model: Model<World, DeploymentRecordFacts, DeploymentRecordState> = {
  start: [first, { ...first, older: 12 }],
  state: ({ state }) => state,
  enter: (world, state) => ({ ...world, state, done: null, added: false }),
  facts: ({ state, appDeleted, done, added, older, newer, active }) => ({
    app: 'shop',
    appDeleted,
    done,
    added,
    name: 'shop-own',
    records: [
      ...others(older, 1),
      ...(state === 'Recorded' ? [{ name: 'shop-own', appLabel: 'shop', at: 100 }] : []),
      ...others(newer, 101),
      ...(active ? [{ name: 'shop-active', appLabel: '', at: 1_000 }] : []),
    ],
  }),
  does: { record: (world) => ({ ...world, startedAt: world.now, completedAt: world.now }) },
  moves,
  within: () => true,
  invariants: {
    newestTwelveStay: {
      alwaysStep: (before, after) =>
        before.state !== 'Recorded' || after.state === 'Recorded' || before.appDeleted || before.newer >= 12,
    },
    olderGo: { eventually: ({ state, newer }) => state !== 'Recorded' || newer < 12 },
    goneWithService: { eventually: ({ state, appDeleted }) => state !== 'Recorded' || !appDeleted },
    momentsAgree: {
      always: ({ state, startedAt, completedAt }) => state === '(none)' || (startedAt === 100 && completedAt === 100),
    },
  },
};
