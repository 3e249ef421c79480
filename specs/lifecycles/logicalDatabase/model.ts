import type { LogicalDatabaseState } from '../../../machines/names.ts';
import type { Absence } from '../../../rules/engine.ts';
import { known } from '../../../rules/fact.ts';
import type { JobOutcome, LogicalDatabaseFacts, ServerSeen } from '../../../rules/logicalDatabase/facts.ts';
import type { Model } from '../../check/subject.ts';
import { exists, moves } from './moves.ts';

type State = LogicalDatabaseState | Absence | '(deleted)';

/** One logical database, its server, and what was created there. Times are stored as elapsed time. */
export interface World {
  readonly state: State;
  readonly shared: boolean;
  readonly server: 'absent' | 'notReady' | 'withoutLogin' | 'ready';
  readonly fits: 'fits' | 'otherRegion' | 'wrongName';
  readonly finalizer: boolean;
  readonly attempt: 'odd' | 'even' | null;
  readonly job: { readonly attempt: string; readonly outcome: JobOutcome } | null;
  readonly failures: number;
  readonly failingForMs: number | null;
  readonly specNew: boolean;
  readonly created: boolean;
  readonly connection: boolean;
  readonly database: boolean;
  readonly dropJob: 'absent' | 'running' | 'succeeded' | 'failed';
  readonly deletingForMs: number | null;
  /** Whether anything was ever dropped or revoked on a project's own server. */
  readonly lost: boolean;
}

const start: World = {
  state: '(none)',
  shared: true,
  server: 'absent',
  fits: 'fits',
  finalizer: false,
  attempt: null,
  job: null,
  failures: 0,
  failingForMs: null,
  specNew: false,
  created: false,
  connection: false,
  database: false,
  dropJob: 'absent',
  deletingForMs: null,
  lost: false,
};

const now = Date.UTC(2026, 6, 1);
const ago = (ms: number | null) => (ms === null ? null : now - ms);

const serverOf = ({ server, shared }: World): ServerSeen =>
  server === 'absent'
    ? { is: 'absent' }
    : {
        is: 'found',
        ready: server !== 'notReady',
        owner: shared ? 'shared' : 'here',
        engine: 'Postgres',
        hasConnection: true,
        region: 'eu',
        placedOn: ['gpu'],
      };

const factsOf = (world: World): LogicalDatabaseFacts => ({
  project: 'shop',
  environment: 'production',
  projectSeen: { is: 'fine', region: world.fits === 'otherRegion' ? 'us' : 'eu', requiredTags: ['gpu'] },
  serverName: 'main',
  server: serverOf(world),
  databaseName: world.fits === 'wrongName' ? 'my-app' : 'app',
  created: world.created,
  asked: null,
  now,
  generation: world.specNew ? 2 : 1,
  retry: { failures: world.failures, startedAt: ago(world.failingForMs), generation: 1 },
  attempt: world.attempt,
  finalizer: world.finalizer,
  deletingSince: ago(world.deletingForMs),
  connection: known(true),
  adminLogin: known(world.server === 'ready'),
  job: known(world.job === null ? { is: 'absent' } : { is: 'present', ...world.job }),
  dropJob: known(world.dropJob),
});

const lost = (world: World): boolean => world.lost || !world.shared;
const isGone = ({ server }: World) => server === 'absent' || server === 'notReady';
const isPass = (step: string) => step.startsWith('pass');

/** The life of one logical database on a server that comes and goes. */
export const model: Model<World, LogicalDatabaseFacts, LogicalDatabaseState> = {
  start: [start, { ...start, shared: false }],
  state: ({ state }) => state,
  enter: (world, state) =>
    state === '(deleted)'
      ? { ...start, state, shared: world.shared, database: world.database, deletingForMs: 0, lost: world.lost }
      : { ...world, state },
  facts: factsOf,
  commands: { retry: 'retry' },
  does: {
    startAttempt: (world) => ({ ...world, attempt: world.attempt === 'odd' ? 'even' : 'odd' }),
    addFinalizer: (world) => ({ ...world, finalizer: true }),
    releaseFinalizer: (world) => ({ ...world, finalizer: false }),
    pauseClock: (world) => ({ ...world, failingForMs: null }),
    countFailure: (world) => ({
      ...world,
      failures: Math.min(world.failures + 1, 5),
      failingForMs: world.failingForMs ?? 0,
    }),
    clearCount: (world) => ({ ...world, failures: 0, failingForMs: null, specNew: false }),
    fail: (world) => ({ ...world, failures: 0, failingForMs: null, specNew: false }),
    createJob: (world) => ({ ...world, job: { attempt: world.attempt ?? '', outcome: 'running' } }),
    writeConnection: (world) => ({ ...world, created: true, connection: true }),
    createDropJob: (world) => ({ ...world, dropJob: 'running', lost: lost(world) }),
  },
  ensures: {
    connectionKept: (world) => ({ ...world, connection: true }),
    noConnection: (world) => ({ ...world, connection: false, lost: lost(world) }),
    // A deleted Job disappears later, by a move of its own.
    noCreateJob: (world) => ({ ...world, lost: lost(world) }),
    noOtherJob: (world) => world,
  },
  moves,
  asks: ({ deletingForMs }) => deletingForMs === null,
  within: () => true,
  invariants: {
    readyIsCreated: {
      alwaysStep: (before, after, step) =>
        !isPass(step) || after.state !== 'Ready' || (before.database && after.created && after.connection),
    },
    ownServerLosesNothing: { never: (world) => world.lost },
    finalizerBeforeJob: {
      always: (world) => !exists(world) || (world.shared ? world.job === null || world.finalizer : !world.finalizer),
    },
    sharedServerIsCleaned: {
      alwaysStep: (before, after, step) =>
        !isPass(step) ||
        after.state !== '(deleted)' ||
        !before.finalizer ||
        isGone(before) ||
        (before.deletingForMs ?? 0) >= 180_000 ||
        !after.database,
    },
    failedIsLeftAlone: {
      alwaysStep: (before, after, step) =>
        before.state !== 'ProvisionFailed' ||
        after.state === 'ProvisionFailed' ||
        before.specNew ||
        before.deletingForMs !== null ||
        step === 'asked: retry → retryAsked',
    },
    waitingNeverFails: {
      alwaysStep: (before, after, step) =>
        !isPass(step) ||
        before.state !== 'Provisioning' ||
        !isGone(before) ||
        (after.failures === before.failures && after.state !== 'ProvisionFailed'),
    },
    givesUp: {
      eventually: (world) =>
        !exists(world) ||
        world.state === 'ProvisionFailed' ||
        world.fits === 'fits' ||
        isGone(world) ||
        world.deletingForMs !== null,
    },
    deletionEnds: { eventually: ({ deletingForMs, state }) => deletingForMs === null || state === '(deleted)' },
  },
};
