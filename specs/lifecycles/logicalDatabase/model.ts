import type { LogicalDatabaseState } from '../../../machines/names.ts';
import { known } from '../../../rules/fact.ts';
import type {
  LogicalDatabaseFacts,
  LogicalDatabaseObserved,
  ServerSeen,
} from '../../../rules/logicalDatabase/facts.ts';
import type { RetrySeen } from '../../../rules/provisionRetry/facts.ts';
import type { Model } from '../../check/subject.ts';
import { exists, moves } from './moves.ts';
import { attempts, type World } from './world.ts';
const nextOf = ({ attempt, job }: World): World['attempt'] =>
  attempts.find((one) => one !== attempt && one !== job?.attempt) ?? null;

const start: World = {
  state: '(none)',
  shared: true,
  server: 'absent',
  fits: 'fits',
  held: false,
  finalizer: false,
  attempt: null,
  job: null,
  retry: 'clean',
  hurried: false,
  stuck: false,
  specNew: false,
  created: false,
  connection: false,
  database: false,
  dropJob: 'absent',
  deletedForMs: null,
  lost: 'nothing',
};

const now = Date.UTC(2026, 6, 1);

const serverOf = ({ server, shared }: World): ServerSeen =>
  server === 'absent'
    ? { is: 'absent' }
    : {
        is: 'found',
        ready: server !== 'notReady',
        owner: shared ? 'shared' : 'here',
        engine: 'Postgres',
        external: false,
        hasConnection: true,
        region: 'eu',
        placedOn: ['gpu'],
      };

function jobOf({ job, attempt }: World): LogicalDatabaseObserved['job'] {
  if (job === null) return 'absent';
  return job.attempt === attempt ? job.is : 'other';
}

const isGone = ({ server }: World) => server === 'absent' || server === 'notReady';

function counted({ retry, hurried }: World): RetrySeen {
  if (hurried) return { state: retry === 'clean' ? 'Clean' : 'Counting', event: 'failureRepeated' };
  if (retry === 'clean') return { state: 'Counting', event: 'rowBegan' };
  return { state: 'ProvisionFailed', event: retry === 'fourTimes' ? 'limitReached' : 'timeRanOut' };
}

/** What the pass counts, which the lifecycle before this one decides. */
function retried(world: World): RetrySeen {
  const { retry, specNew, fits } = world;
  if (retry === 'over')
    return specNew
      ? { state: 'Clean', event: 'generationChanged' }
      : { state: 'ProvisionFailed', event: 'stayedFailed' };
  const same = { state: retry === 'clean' ? 'Clean' : 'Counting', event: null } as const;
  if (world.deletedForMs !== null || isGone(world) || world.stuck) return same;
  const isFailed = !world.created && world.server === 'ready' && jobOf(world) === 'failed';
  if (fits === 'wrongName' || world.held) return { state: 'ProvisionFailed', event: 'permanentlyFailed' };
  if (fits === 'otherRegion') return counted(world);
  return isFailed ? { state: 'ProvisionFailed', event: 'permanentlyFailed' } : { state: 'Clean', event: null };
}

function rowAfter(world: World): Pick<World, 'retry' | 'specNew' | 'hurried'> {
  const { state, event } = retried(world);
  const counting = world.retry === 'threeMinutes' ? 'threeMinutes' : 'fourTimes';
  const retry = ({ Clean: 'clean', Counting: counting, ProvisionFailed: 'over' } as const)[state];
  return { retry, hurried: world.hurried || event === 'rowBegan', specNew: false };
}

const factsOf = (world: World): LogicalDatabaseFacts => ({
  now,
  asked: null,
  deletedAt: world.deletedForMs === null ? null : now - world.deletedForMs,
  retry: retried(world),
  attempt: world.attempt,
  finalizer: world.finalizer,
  around: known({
    project: 'shop',
    environment: 'production',
    projectSeen: { is: 'fine', region: world.fits === 'otherRegion' ? 'us' : 'eu', requiredTags: ['gpu'] },
    serverName: 'main',
    server: serverOf(world),
    databaseName: world.fits === 'wrongName' ? 'my-app' : 'app',
    movedFrom: '',
    heldByOther: world.held && world.server !== 'absent',
    created: world.created,
    connection: true,
    adminLogin: world.server === 'ready',
    job: jobOf(world),
    connected: world.connection,
    contested: [],
    failure: world.stuck ? { counts: 'waiting', why: 'not yet' } : null,
  }),
  createJobLeft: known(world.job !== null),
  dropJob: known(world.dropJob),
});

/** What is taken from a project's own server, or from the object that keeps the database, is lost. */
const lostBy = (world: World): World['lost'] => {
  if (!world.shared) return 'own';
  return world.held ? 'others' : world.lost;
};
const isPass = (step: string) => step.startsWith('pass');

/** The life of one logical database on a server that comes and goes. */
export const model: Model<World, LogicalDatabaseFacts, LogicalDatabaseState> = {
  start: [start, { ...start, shared: false }, { ...start, held: true }],
  state: ({ state }) => state,
  enter: (world, state) =>
    state === '(deleted)'
      ? { ...start, state, shared: world.shared, database: world.database, deletedForMs: 0, lost: world.lost }
      : { ...world, ...rowAfter(world), state },
  facts: factsOf,
  does: {
    startAttempt: (world) => ({ ...world, attempt: nextOf(world) }),
    recordFailure: (world) => ({ ...world, attempt: world.attempt ?? nextOf(world) }),
    failAttempt: (world) => ({ ...world, attempt: null }),
    succeedAttempt: (world) => ({ ...world, attempt: null }),
    createJob: (world) => ({ ...world, job: { attempt: world.attempt ?? '', is: 'running' } }),
    writeConnection: (world) => ({ ...world, connection: true }),
    recordDatabase: (world) => ({ ...world, created: true }),
    createDropJob: (world) => ({ ...world, dropJob: 'running', lost: lostBy(world) }),
    removeJobs: (world) => ({ ...world, job: null, dropJob: 'absent' }),
    removeSecrets: (world) => ({ ...world, connection: false }),
  },
  ensures: {
    noConnection: (world) => ({ ...world, connection: false, lost: world.shared ? world.lost : 'own' }),
    // A deleted Job disappears later, by a move of its own.
    noOtherJob: (world) => world,
  },
  moves,
  asks: ({ deletedForMs }) => deletedForMs === null,
  within: () => true,
  invariants: {
    readyIsCreated: {
      alwaysStep: (before, after, step) =>
        !isPass(step) ||
        before.state !== 'Provisioning' ||
        after.state !== 'Ready' ||
        (before.database && after.created && after.connection),
    },
    ownServerLosesNothing: { never: ({ lost }) => lost === 'own' },
    olderKeepsIt: { never: ({ lost }) => lost === 'others' },
    finalizerBeforeJob: {
      always: (world) => !exists(world) || !world.shared || world.job === null || world.finalizer,
    },
    sharedServerIsCleaned: {
      alwaysStep: (before, after, step) =>
        !isPass(step) ||
        after.state !== '(deleted)' ||
        !before.finalizer ||
        before.held ||
        !before.shared ||
        isGone(before) ||
        (before.deletedForMs ?? 0) >= 180_000 ||
        !after.database,
    },
    failedIsLeftAlone: {
      alwaysStep: (before, after) =>
        before.state !== 'ProvisionFailed' ||
        after.state === 'ProvisionFailed' ||
        before.specNew ||
        before.retry !== 'over' ||
        before.deletedForMs !== null,
    },
    givesUp: {
      eventually: (world) =>
        !exists(world) ||
        world.state === 'ProvisionFailed' ||
        (world.fits === 'fits' && !world.held) ||
        isGone(world) ||
        world.deletedForMs !== null,
    },
    deletionEnds: { eventually: ({ deletedForMs, state }) => deletedForMs === null || state === '(deleted)' },
  },
};
