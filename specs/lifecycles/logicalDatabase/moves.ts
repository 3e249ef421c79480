import type { Move } from '../../check/subject.ts';
import type { World } from './model.ts';

const threeMinutes = 180_000;
/** Whether it was created and still exists. */
export const exists = ({ state }: World) => state !== '(none)' && state !== '(deleted)';

/** Resets what a deletion makes irrelevant. */
const uncounted = { fits: 'fits', failures: 0, failingForMs: null, specNew: false, created: false } as const;

/** Once failures are counted, only what continues or waits still changes, which keeps the search small. */
const serversOf = ({ failures }: World) =>
  failures === 0 ? (['absent', 'notReady', 'withoutLogin', 'ready'] as const) : (['notReady', 'ready'] as const);
const fitsOf = ({ failures }: World) =>
  failures === 0 ? (['fits', 'otherRegion', 'wrongName'] as const) : (['fits', 'otherRegion'] as const);

/** What the server, the project, the Jobs and people do to a logical database. */
export const moves: readonly Move<World>[] = [
  {
    name: 'the server changes',
    on: (world) => (exists(world) ? serversOf(world).map((server) => ({ ...world, server })) : []),
  },
  {
    name: 'the project or the spec changes',
    on: (world) =>
      exists(world) && world.deletingForMs === null ? fitsOf(world).map((fits) => ({ ...world, fits })) : [],
  },
  {
    name: 'the Job ends',
    on: ({ job, ...world }) =>
      job?.outcome === 'running'
        ? [
            { ...world, job: { ...job, outcome: 'succeeded' }, database: true },
            { ...world, job: { ...job, outcome: 'failed' } },
          ]
        : [],
  },
  {
    name: 'a deleted Job goes',
    calm: true,
    on: (world) =>
      world.job !== null &&
      (world.state === 'Deleting' || (world.state === 'Provisioning' && world.job.attempt !== world.attempt))
        ? [{ ...world, job: null }]
        : [],
  },
  {
    name: 'time passes',
    on: (world) =>
      world.state === 'Provisioning' && world.failingForMs !== null && world.failingForMs < threeMinutes
        ? [{ ...world, failingForMs: threeMinutes }]
        : [],
  },
  {
    name: 'the spec is edited',
    on: (world) => (world.state === 'ProvisionFailed' && !world.specNew ? [{ ...world, specNew: true }] : []),
  },
  {
    name: 'the finalizer is taken away by hand',
    on: (world) => (world.state === 'Ready' && world.finalizer ? [{ ...world, finalizer: false, job: null }] : []),
  },
  {
    name: 'it is deleted',
    on: (world) =>
      exists(world) && world.deletingForMs === null ? [{ ...world, ...uncounted, deletingForMs: 0 }] : [],
  },
  {
    name: 'the deletion takes its time',
    calm: true,
    on: (world) =>
      exists(world) && world.deletingForMs !== null && world.deletingForMs < threeMinutes
        ? [{ ...world, deletingForMs: threeMinutes }]
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
