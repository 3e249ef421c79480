import type { ProvisionRetryState } from '../../../machines/names.ts';
import { known } from '../../../rules/fact.ts';
import type { PassOutcome, ProvisionRetryFacts } from '../../../rules/provisionRetry/facts.ts';
import type { Model } from '../../check/subject.ts';

type Meets = 'nothing' | 'waiting' | 'permanent' | 'oneFailure' | 'otherFailure';

/** A resource with its row of failures, what a pass of it meets, and what was seen of its passes. */
interface World {
  readonly state: ProvisionRetryState;
  readonly rowOf: ProvisionRetryFacts['rowOf'];
  readonly failures: number;
  /** How long ago the clock of the row began, in ms; null while it stands still. */
  readonly clock: number | null;
  readonly countedKind: string;
  /** Whether the spec was edited since the last counted or permanent failure. */
  readonly edited: boolean;
  readonly meets: Meets;
  readonly seen: Seen;
}

/** What an onlooker remembers: failures of one row, how long it lasts, whether it lasted too long, the last end. */
interface Seen {
  readonly row: number;
  readonly kind: string;
  readonly age: number | null;
  readonly late: boolean;
  readonly endedBy: Meets | null;
}

const now = 1_800_000_000_000;
const forgotten: Seen = { row: 0, kind: '', age: null, late: false, endedBy: null };
const outcomes: Readonly<Record<Meets, PassOutcome>> = {
  nothing: { is: 'succeeded' },
  waiting: { is: 'failed', kind: 'serverNotReady', text: 'database server is not ready' },
  permanent: { is: 'failed', kind: 'accessDenied', text: 'access denied' },
  oneFailure: { is: 'failed', kind: 'clusterMissing', text: 'Referenced CoreCluster is not available' },
  otherFailure: { is: 'failed', kind: 'nameInvalid', text: 'invalid project "A"' },
};
const isCounted = ({ meets }: World) => meets === 'oneFailure' || meets === 'otherFailure';

/** The onlooker's own count: it knows only what the pass met, never what was made of it. */
function noted(world: World): Seen {
  if (!isCounted(world)) return { ...world.seen, endedBy: world.meets };
  const { seen, meets } = world;
  const goesOn = seen.row > 0 && !world.edited && (world.rowOf === 'anyKind' || seen.kind === meets);
  const age = goesOn ? (seen.age ?? 0) : 0;
  return { row: goesOn ? seen.row + 1 : 1, kind: meets, age, late: age >= 180_000, endedBy: meets };
}

const kindMet = ({ meets }: World) => {
  const outcome = outcomes[meets];
  return outcome.is === 'failed' ? outcome.kind : '';
};
const older = (age: number | null) => (age === null ? null : Math.min(age + 60_000, 180_000));

const start = (rowOf: World['rowOf']): World => ({
  state: 'Clean',
  rowOf,
  failures: 0,
  clock: null,
  countedKind: '',
  edited: false,
  meets: 'oneFailure',
  seen: forgotten,
});

/** A resource of which a pass meets one thing or another, whose spec may be edited, and which may be asked to retry. */
export const model: Model<World, ProvisionRetryFacts, ProvisionRetryState> = {
  start: [start('oneKind'), start('anyKind')],
  state: ({ state }) => state,
  enter: (world, state) => ({ ...world, state: state as ProvisionRetryState }),
  facts: ({ rowOf, failures, clock, countedKind, edited, meets }) => ({
    now,
    asked: null,
    generation: edited ? 2 : 1,
    rowOf,
    failures,
    startedAt: clock === null ? null : now - clock,
    failedGeneration: 1,
    countedKind,
    outcome: known(outcomes[meets]),
  }),
  commands: { deploy: 'deploy', retry: 'retry' },
  does: {
    beginRow: (world) => ({
      ...world,
      failures: 1,
      clock: 0,
      countedKind: kindMet(world),
      edited: false,
      seen: noted(world),
    }),
    countFailure: (world) => ({
      ...world,
      failures: world.failures + 1,
      clock: world.clock ?? 0,
      countedKind: kindMet(world),
      seen: noted(world),
    }),
    giveUp: (world) => ({ ...world, edited: false, seen: noted(world) }),
    stopClock: (world) => ({ ...world, clock: null, seen: { ...world.seen, age: null } }),
    clearRow: (world) => ({ ...world, failures: 0, clock: null, countedKind: '', edited: false, seen: forgotten }),
  },
  moves: [
    {
      name: 'a minute passes',
      calm: true,
      on: (world) => {
        const aged = { ...world, clock: older(world.clock), seen: { ...world.seen, age: older(world.seen.age) } };
        return aged.clock === world.clock && aged.seen.age === world.seen.age ? [] : [aged];
      },
    },
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
        ['asked: deploy → redeployAsked', 'asked: retry → retryAsked'].includes(step),
    },
    lastingCauseEnds: {
      eventually: ({ state, meets }) => {
        if (meets === 'waiting') return true;
        return meets === 'nothing' ? state !== 'Counting' : state === 'ProvisionFailed';
      },
    },
  },
};
