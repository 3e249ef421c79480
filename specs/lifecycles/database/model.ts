import type { DatabaseState } from '../../../machines/names.ts';
import type { DatabaseFacts } from '../../../rules/database/facts.ts';
import type { Model } from '../../check/subject.ts';
import { afterPass, undisturbedMoves, gateMove, isAlive, noTrouble, retryMoves } from '../provision/moves.ts';
import { factsOf, first, retried, type World } from './world.ts';

const gone = { workload: 'absent', pods: 'none', connected: false, restoreJob: 'absent' } as const;
const isUnsaved = ({ backups, workload, lastBackup, tenMinutes }: World) =>
  backups && workload !== 'absent' && lastBackup !== 'finished' && !tenMinutes;
const inService = (world: World) => isAlive(world) && (world.state === 'Provisioning' || world.state === 'Ready');

const loadBegun = (world: World): World['mistake'] => {
  if (world.loaded) return 'loadedTwice';
  return world.served ? 'loadedOver' : world.mistake;
};

const forgotten = {
  ...noTrouble,
  connected: false,
  served: false,
  restores: false,
  restoredAt: false,
  loaded: false,
  restoreJob: 'absent',
} as const;
/** Forgets what a deleted database no longer depends on. */
const leaving = (world: World): World => ({
  ...world,
  ...forgotten,
  deleting: true,
});

/** One database; people deploy, withdraw and delete it, and the cluster comes and goes. */
export const model: Model<World, DatabaseFacts, DatabaseState> = {
  start: [
    { ...first, open: false },
    { ...first, backups: true },
    { ...first, restores: true },
    { ...first, external: true },
    { ...first, state: 'Draft', open: false, restores: true, restoredAt: true, loaded: true },
    {
      ...first,
      state: 'Provisioning',
      restores: true,
      workload: 'current',
      pods: 'running',
      restoreJob: 'succeeded',
      loaded: true,
    },
  ],
  state: ({ state }) => state,
  enter: (world, state) => afterPass(world, state, retried(world)),
  facts: factsOf,
  does: {
    applyWorkload: (world) => ({
      ...world,
      workload: 'current',
      pods: world.pods === 'running' ? 'running' : 'starting',
    }),
    /** The Job has the name of its database, so a second one is refused. */
    createRestoreJob: (world) =>
      world.restoreJob === 'absent' ? { ...world, restoreJob: 'running', mistake: loadBegun(world) } : world,
    deleteWorkload: (world) => ({
      ...world,
      ...gone,
      ending: world.ending || world.workload !== 'absent',
      mistake: isUnsaved(world) ? 'unsaved' : world.mistake,
    }),
    discardRestore: (world) => (world.restoreJob === 'failed' ? { ...world, restoreJob: 'absent' } : world),
    failAttempt: (world) => world,
    recordFailure: (world) => world,
    recordHost: (world) => ({ ...world, served: true }),
    recordRestored: (world) => ({ ...world, restoredAt: true }),
    retireArchive: (world) => world,
    startAttempt: (world) => world,
    startFinalBackup: (world) => (world.lastBackup === 'finished' ? world : { ...world, lastBackup: 'running' }),
    succeedAttempt: (world) => world,
    writeConnection: (world) => ({ ...world, connected: true }),
  },
  ensures: { noWorkload: (world) => ({ ...world, ...gone, ...noTrouble }) },
  moves: [
    {
      name: 'the pods run',
      undisturbed: true,
      on: (world) => (world.pods === 'starting' ? [{ ...world, pods: 'running' }] : []),
    },
    {
      name: 'what was deleted has ended',
      undisturbed: true,
      on: (world) => (world.ending ? [{ ...world, ending: false }] : []),
    },
    {
      name: 'the restore Job succeeds',
      undisturbed: true,
      on: (world) => (world.restoreJob === 'running' ? [{ ...world, restoreJob: 'succeeded', loaded: true }] : []),
    },
    ...undisturbedMoves(inService),
    {
      name: 'a quarter of an hour passes',
      undisturbed: true,
      on: (world) => (world.trouble === 'storage' ? [{ ...world, trouble: 'storageLong' }] : []),
    },
    {
      name: 'ten minutes pass',
      undisturbed: true,
      on: (world) => (world.deleting && !world.tenMinutes ? [{ ...world, tenMinutes: true }] : []),
    },
    {
      name: 'the last backup finishes',
      undisturbed: true,
      on: (world) => (world.lastBackup === 'running' ? [{ ...world, lastBackup: 'finished' }] : []),
    },
    {
      name: 'the last backup fails, or is removed by hand',
      on: (world) =>
        world.lastBackup === 'running'
          ? (['failed', 'none'] as const).map((lastBackup) => ({ ...world, lastBackup }))
          : [],
    },
    {
      name: 'the restore Job fails',
      on: (world) => (world.restoreJob === 'running' ? [{ ...world, restoreJob: 'failed' }] : []),
    },
    {
      name: 'something stands in the way',
      on: (world) =>
        inService(world) && world.trouble === 'none' && world.retry === 'clean'
          ? (['project', 'storage', 'denied', 'unreached'] as const).map((trouble) => ({ ...world, trouble }))
          : [],
    },
    {
      name: 'a pod ends',
      on: (world) => (inService(world) && world.pods === 'running' ? [{ ...world, pods: 'starting' }] : []),
    },
    gateMove(),
    {
      name: 'the deployed spec changes',
      on: (world) =>
        isAlive(world) && !world.external && world.workload === 'current' ? [{ ...world, workload: 'stale' }] : [],
    },
    {
      name: 'the spec of what was given up changes, or it is deployed again',
      on: (world) =>
        isAlive(world) && world.retry === 'over' && world.again === 'nothing'
          ? (['spec', 'deploy'] as const).map((again) => ({ ...world, again }))
          : [],
    },
    ...retryMoves(inService),
    {
      name: 'a restore is written into the spec of a database in use',
      on: (world) =>
        isAlive(world) && world.state === 'Ready' && !world.external && !world.backups
          ? [{ ...world, restores: true }]
          : [],
    },
    {
      name: 'the connection Secret is deleted',
      on: (world) => (inService(world) && world.connected ? [{ ...world, connected: false }] : []),
    },
    { name: 'it is deleted', on: (world) => (isAlive(world) ? [leaving(world)] : []) },
  ],
  within: ({ state }) => state !== '(deleted)',
  invariants: {
    dataSavedFirst: { never: ({ mistake }) => mistake === 'unsaved' },
    nothingRunsAsDraft: { always: ({ state, workload }) => state !== 'Draft' || workload === 'absent' },
    loadedOnce: { never: ({ mistake }) => mistake === 'loadedTwice' || mistake === 'loadedOver' },
    nothingDoneOnceGivenUp: {
      alwaysStep: (before, after, step) =>
        !(step.startsWith('pass') && (before.state === 'ProvisionFailed' || after.state === 'ProvisionFailed')) ||
        before.deleting ||
        !before.open ||
        (after.workload === before.workload &&
          (after.restoreJob === before.restoreJob ||
            (before.restoreJob === 'failed' && after.state === 'Provisioning'))),
    },
    readyIsConnected: {
      alwaysStep: (before, after, step) =>
        !(step.startsWith('pass') && before.state === 'Provisioning' && after.state === 'Ready') ||
        (after.connected && (after.external || after.pods === 'running')),
    },
    settles: {
      eventually: ({ state, open, deleting }) => deleting || !open || state === 'Ready' || state === 'ProvisionFailed',
    },
    deletionEnds: { eventually: ({ state, deleting }) => !deleting || state === '(deleted)' },
  },
};
