import type { Move } from '../../check/subject.ts';
import type { World } from './world.ts';

const threeMinutes = 180_000;
/** Whether it was created and still exists. */
export const exists = ({ state }: World) => state !== '(none)' && state !== '(deleted)';
const lives = (world: World) => exists(world) && world.deletedForMs === null;

/** Resets what a deletion makes irrelevant. */
const uncounted = {
  fits: 'fits',
  retry: 'clean',
  specNew: false,
  created: false,
  hurried: false,
  stuck: false,
} as const;

/** Once failures are counted, only what continues or waits still changes, which keeps the search small. */
const serversOf = ({ retry }: World) =>
  retry === 'clean' ? (['absent', 'notReady', 'withoutLogin', 'ready'] as const) : (['notReady', 'ready'] as const);

const misfits = ['fits', 'otherRegion', 'wrongName'] as const;

/** What the server, the project, the Jobs and people do to a logical database. */
export const moves: readonly Move<World>[] = [
  {
    name: 'the server changes',
    on: (world) => (exists(world) ? serversOf(world).map((server) => ({ ...world, server })) : []),
  },
  {
    name: 'the project or the spec changes',
    on: (world) =>
      lives(world) && world.retry !== 'over'
        ? (world.retry === 'clean' ? misfits : misfits.slice(0, 2)).map((fits) => ({ ...world, fits }))
        : [],
  },
  {
    name: 'the finalizer is added, as every pass does first on a shared server',
    undisturbed: true,
    on: (world) =>
      lives(world) && world.shared && world.server !== 'absent' && !world.finalizer
        ? [{ ...world, finalizer: true }]
        : [],
  },
  {
    name: 'the Job ends',
    on: ({ job, ...world }) =>
      job?.is === 'running'
        ? [
            { ...world, job: { ...job, is: 'succeeded' }, database: true },
            { ...world, job: { ...job, is: 'failed' } },
          ]
        : [],
  },
  {
    name: 'a deleted Job goes',
    undisturbed: true,
    on: (world) =>
      world.job !== null &&
      (world.state === 'Deleting' || (world.state === 'Provisioning' && world.job.attempt !== world.attempt))
        ? [{ ...world, job: null }]
        : [],
  },
  {
    name: 'the database is lost with the server',
    on: (world) =>
      world.state === 'Ready' && world.created && world.database && lives(world)
        ? [{ ...world, created: false, database: false }]
        : [],
  },
  {
    name: 'the connection Secret is deleted',
    on: (world) => (world.state === 'Ready' && world.connection ? [{ ...world, connection: false }] : []),
  },
  {
    name: 'half a minute passes',
    undisturbed: true,
    on: (world) => (world.hurried ? [{ ...world, hurried: false }] : []),
  },
  {
    name: 'three minutes pass',
    on: (world) => (world.retry === 'fourTimes' ? [{ ...world, retry: 'threeMinutes', hurried: false }] : []),
  },
  {
    name: 'an act cannot be done for a while',
    on: (world) =>
      (world.state === 'Ready' || world.state === 'Provisioning') &&
      world.retry === 'clean' &&
      !world.stuck &&
      world.fits === 'fits' &&
      world.server === 'ready' &&
      lives(world)
        ? [{ ...world, stuck: true }]
        : [],
  },
  {
    name: 'the act can be done again',
    undisturbed: true,
    on: (world) => (world.stuck ? [{ ...world, stuck: false }] : []),
  },
  {
    name: 'the finalizer is taken away by hand',
    on: (world) =>
      world.state === 'Ready' && world.finalizer && lives(world) ? [{ ...world, finalizer: false, job: null }] : [],
  },
  {
    name: 'the attempt is wiped out by hand',
    on: (world) =>
      world.state === 'Provisioning' && world.attempt !== null && world.retry === 'clean' && lives(world)
        ? [{ ...world, attempt: null }]
        : [],
  },
  {
    name: 'the spec is edited',
    on: (world) => (lives(world) && world.retry === 'over' && !world.specNew ? [{ ...world, specNew: true }] : []),
  },
  {
    name: 'Retry is pressed, and answered elsewhere',
    on: (world) => (lives(world) && world.retry === 'over' ? [{ ...world, retry: 'clean', specNew: false }] : []),
  },
  {
    name: 'the older one goes',
    on: (world) => (lives(world) && world.held ? [{ ...world, held: false }] : []),
  },
  {
    name: 'it is deleted',
    on: (world) => (lives(world) ? [{ ...world, ...uncounted, deletedForMs: 0 }] : []),
  },
  {
    name: 'the deletion takes its time',
    undisturbed: true,
    on: (world) =>
      exists(world) && world.deletedForMs !== null && world.deletedForMs < threeMinutes
        ? [{ ...world, deletedForMs: threeMinutes }]
        : [],
  },
  {
    name: 'the drop ends',
    on: (world) =>
      world.dropJob === 'running'
        ? [
            { ...world, dropJob: 'succeeded', database: false },
            { ...world, dropJob: 'failed' },
          ]
        : [],
  },
];
