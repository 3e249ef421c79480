import type { ProvisionRetryState } from '../../../machines/names.ts';
import { known } from '../../../rules/fact.ts';
import type { PassOutcome, ProvisionRetryFacts } from '../../../rules/provisionRetry/facts.ts';
import type { Model } from '../../check/subject.ts';
import { closed } from '../../../rules/words.ts';

type Meets = 'nothing' | 'waiting' | 'permanent' | 'oneFailure' | 'otherFailure';

/** A resource with its failure counter, the results of its passes, and what was observed of them. */
interface World {
  readonly state: ProvisionRetryState;
  readonly rowOf: ProvisionRetryFacts['rowOf'];
  readonly failures: number;
  /** How long ago the counter's clock started, in ms; null while it does not run. */
  readonly clock: number | null;
  /** How long ago a failure was last counted, in ms, up to half a minute; null before the first. */
  readonly sinceLast: number | null;
  readonly countedKind: string;
  readonly deleted: boolean;
  /** Whether it was deployed and no pass has processed that yet. */
  readonly redeployed: boolean;
  /** Whether the spec was edited since the last counted or permanent failure. */
  readonly edited: boolean;
  readonly meets: Meets;
  readonly seen: Witness;
}

/** What an observer remembers: consecutive failures, their duration, whether it was too long, the last end. */
interface Witness {
  /** Whether half a minute passed since a failure was counted, and whether one was ever counted before. */
  readonly rested: boolean;
  readonly hurried: boolean;
  readonly row: number;
  readonly kind: string;
  readonly age: number | null;
  readonly late: boolean;
  readonly endedBy: Meets | null;
}

const now = 1_800_000_000_000;
const forgotten: Witness = {
  rested: true,
  hurried: false,
  row: 0,
  kind: '',
  age: null,
  late: false,
  endedBy: null,
};
const outcomes: Readonly<Record<Meets, PassOutcome>> = {
  nothing: { is: 'succeeded' },
  waiting: { is: 'failed', counts: 'waiting', kind: 'serverNotReady', says: closed('database server is not ready') },
  permanent: { is: 'failed', counts: 'permanent', kind: 'accessDenied', says: closed('access denied') },
  oneFailure: {
    is: 'failed',
    counts: 'counted',
    kind: 'clusterMissing',
    says: closed('Referenced CoreCluster is not available'),
  },
  otherFailure: { is: 'failed', counts: 'counted', kind: 'nameInvalid', says: closed('invalid project "A"') },
};
const isCounted = ({ meets }: World) => meets === 'oneFailure' || meets === 'otherFailure';

/** The observer's own count, which knows only the results of passes and never their effects. */
function noted(world: World): Witness {
  if (!isCounted(world)) return { ...world.seen, endedBy: world.meets };
  const { seen, meets } = world;
  const goesOn = seen.row > 0 && !world.edited && (world.rowOf === 'anyKind' || seen.kind === meets);
  const age = goesOn ? (seen.age ?? 0) : 0;
  const row = goesOn ? seen.row + 1 : 1;
  const hurried = seen.hurried || !seen.rested;
  return { rested: false, hurried, row, kind: meets, age, late: age >= 180_000, endedBy: meets };
}

const kindMet = ({ meets }: World) => {
  const outcome = outcomes[meets];
  return outcome.is === 'failed' ? outcome.kind : '';
};
const older = (age: number | null, most: number) => (age === null ? null : Math.min(age + 30_000, most));

const start = (rowOf: World['rowOf']): World => ({
  state: 'Clean',
  rowOf,
  failures: 0,
  clock: null,
  sinceLast: null,
  countedKind: '',
  deleted: false,
  redeployed: false,
  edited: false,
  meets: 'oneFailure',
  seen: forgotten,
});

/** A failure counter at which the next failure gives up. */
const nearEnd = (failures: number, clock: number): World => ({
  ...start('anyKind'),
  state: 'Counting',
  failures,
  clock,
  sinceLast: 30_000,
  countedKind: 'clusterMissing',
  seen: { ...forgotten, row: failures, kind: 'oneFailure', age: clock, endedBy: 'oneFailure' },
});

/** A resource whose passes succeed or fail, whose spec may be edited, and which may be asked to retry. */
export const model: Model<World, ProvisionRetryFacts, ProvisionRetryState> = {
  start: [start('oneKind'), start('anyKind'), nearEnd(4, 90_000), nearEnd(2, 180_000)],
  state: ({ state }) => state,
  enter: (world, state) => ({ ...world, state: state as ProvisionRetryState }),
  facts: ({ rowOf, failures, clock, sinceLast, countedKind, deleted, redeployed, edited, meets }) => ({
    now,
    asked: null,
    deleted,
    generation: edited ? 2 : 1,
    redeployed,
    rowOf,
    failures,
    startedAt: clock === null ? null : now - clock,
    failedGeneration: 1,
    lastFailureAt: sinceLast === null ? null : now - sinceLast,
    countedKind,
    outcome: known(outcomes[meets]),
  }),
  commands: { retry: 'retry' },
  does: {
    beginRow: (world) => ({
      ...world,
      failures: 1,
      clock: 0,
      sinceLast: 0,
      countedKind: kindMet(world),
      edited: false,
      seen: noted(world),
    }),
    countFailure: (world) => ({
      ...world,
      failures: world.failures + 1,
      clock: world.clock ?? 0,
      sinceLast: 0,
      countedKind: kindMet(world),
      seen: noted(world),
    }),
    giveUp: (world) => ({ ...world, sinceLast: 0, edited: false, seen: noted(world) }),
    giveUpAtOnce: (world) => ({ ...world, failures: 0, clock: null, edited: false, seen: noted(world) }),
    stopClock: (world) => ({ ...world, clock: null, seen: { ...world.seen, age: null } }),
    clearRow: (world) => ({
      ...world,
      failures: 0,
      clock: null,
      countedKind: '',
      edited: false,
      seen: { ...forgotten, rested: world.seen.rested, hurried: world.seen.hurried },
    }),
    takeUpDeploy: (world) => ({ ...world, redeployed: false }),
  },
  moves: [
    {
      name: 'half a minute passes',
      undisturbed: true,
      on: (world) => {
        const { clock, sinceLast, seen } = world;
        const aged = { clock: older(clock, 180_000), sinceLast: older(sinceLast, 30_000) };
        const later = { ...world, ...aged, seen: { ...seen, age: older(seen.age, 180_000), rested: true } };
        return JSON.stringify(later) === JSON.stringify(world) ? [] : [later];
      },
    },
    { name: 'it is deployed', on: (world) => (world.deleted ? [] : [{ ...world, redeployed: true }]) },
    { name: 'it is deleted', on: (world) => [{ ...world, deleted: true }] },
    { name: 'the spec is edited', on: (world) => [{ ...world, edited: true }] },
    {
      name: 'another thing is met',
      on: (world) => (Object.keys(outcomes) as Meets[]).map((meets) => ({ ...world, meets })),
    },
  ],
  within: ({ failures, seen }) => failures <= 5 && seen.row <= 5,
  invariants: {
    fiveGiveUp: { always: ({ state, seen }) => seen.row < 5 || state === 'ProvisionFailed' },
    threeMinutesGiveUp: { always: ({ state, seen }) => !seen.late || state === 'ProvisionFailed' },
    waitingNeverGivesUp: { never: ({ state, seen }) => state === 'ProvisionFailed' && seen.endedBy === 'waiting' },
    leftOnlyWhenAsked: {
      alwaysStep: (before, after, step) =>
        before.state !== 'ProvisionFailed' ||
        after.state === 'ProvisionFailed' ||
        before.edited ||
        before.redeployed ||
        step === 'asked: retry → retryAsked',
    },
    countsOnceInHalfAMinute: { always: ({ seen }) => !seen.hurried },
    deletionCountsNothing: {
      alwaysStep: (before, after, step) =>
        !before.deleted ||
        step.startsWith('world: ') ||
        (after.state === before.state && after.failures === before.failures),
    },
    lastingCauseEnds: {
      eventually: ({ state, meets, deleted }) => {
        if (deleted || meets === 'waiting') return true;
        return meets === 'nothing' ? state !== 'Counting' : state === 'ProvisionFailed';
      },
    },
  },
};
