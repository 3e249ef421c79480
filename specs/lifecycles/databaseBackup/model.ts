import type { DatabaseBackupState } from '../../../machines/names.ts';
import type { DatabaseBackupFacts } from '../../../rules/databaseBackup/facts.ts';
import type { Absence } from '../../../rules/engine.ts';
import { known } from '../../../rules/fact.ts';
import type { Model } from '../../check/subject.ts';

type State = DatabaseBackupState | Absence | '(deleted)';

/** One Postgres database, the storage of its project, and its current archive. */
interface World {
  readonly state: State;
  readonly enabled: boolean;
  readonly projectStorage: boolean;
  readonly archive: boolean;
  readonly storage: 'working' | 'failing' | 'unplanned';
  readonly finished: boolean;
  readonly changesSaved: boolean;
  readonly latestFailed: boolean;
}

const start: World = {
  state: 'NoBackup',
  enabled: false,
  projectStorage: false,
  archive: false,
  storage: 'working',
  finished: false,
  changesSaved: true,
  latestFailed: false,
};

const storageOf = ({ storage }: World) =>
  storage === 'working'
    ? ({ is: 'working' } as const)
    : storage === 'failing'
      ? ({ is: 'failing', error: 'AccessDenied' } as const)
      : ({ is: 'unplanned', why: 'the connection is gone' } as const);

/** The contents of a retired or lost archive are no backup of the next one. */
const withoutArchive = { archive: false, finished: false, changesSaved: true, latestFailed: false } as const;

const hasArchive: readonly State[] = ['Starting', 'Protected', 'AtRisk'];
const isPass = (step: string) => step.startsWith('pass');

/**
 * A database whose backups are turned on and off, whose storage appears, fails and disappears, and whose archives get
 * lost.
 */
export const model: Model<World, DatabaseBackupFacts, DatabaseBackupState> = {
  start: [start],
  state: ({ state }) => state,
  enter: (world, state) => ({ ...world, state }),
  facts: (world) => ({
    now: 0,
    project: 'shop',
    projectStorage: world.projectStorage,
    archive: world.archive,
    enabled: world.enabled,
    engine: 'Postgres',
    placement: 'InCluster',
    storage: known(storageOf(world)),
    backups: known({
      finished: world.finished,
      changesSaved: world.changesSaved,
      latestFailed: world.latestFailed,
    }),
  }),
  does: {
    recordBackup: (world) => world,
    removeBackup: (world) => world,
  },
  ensures: {
    archiveKept: (world) => (world.archive ? world : { ...world, ...withoutArchive, archive: true }),
  },
  moves: [
    { name: 'backups turned on', on: (world) => (world.enabled ? [] : [{ ...world, enabled: true }]) },
    {
      name: 'backups turned off',
      on: (world) => (world.enabled ? [{ ...world, ...withoutArchive, enabled: false }] : []),
    },
    { name: 'storage chosen', on: (world) => (world.projectStorage ? [] : [{ ...world, projectStorage: true }]) },
    { name: 'storage removed', on: (world) => (world.projectStorage ? [{ ...world, projectStorage: false }] : []) },
    {
      name: 'the cloud changes',
      on: (world) => (['working', 'failing', 'unplanned'] as const).map((storage) => ({ ...world, storage })),
    },
    {
      name: 'the nightly backup finishes',
      undisturbed: true,
      on: (world) =>
        world.archive && world.storage === 'working' && (!world.finished || world.latestFailed)
          ? [{ ...world, finished: true, latestFailed: false }]
          : [],
    },
    { name: 'a backup fails', on: (world) => (world.archive ? [{ ...world, latestFailed: true }] : []) },
    { name: 'the change log stalls', on: (world) => (world.archive ? [{ ...world, changesSaved: false }] : []) },
    { name: 'the change log is saved', on: (world) => (world.changesSaved ? [] : [{ ...world, changesSaved: true }]) },
    {
      name: 'the archive is deleted by hand',
      on: (world) => (world.archive && !hasArchive.includes(world.state) ? [{ ...world, ...withoutArchive }] : []),
    },
    { name: 'the status is lost', on: (world) => (world.archive ? [{ ...world, state: 'NoBackup' }] : []) },
  ],
  within: () => true,
  invariants: {
    protectedHasBackup: {
      alwaysStep: (before, after, step) =>
        !isPass(step) ||
        after.state !== 'Protected' ||
        step.endsWith('planUnclear') ||
        (before.archive && before.finished && before.storage === 'working'),
    },
    aloneWithArchive: {
      alwaysStep: (_, after, step) => !isPass(step) || !hasArchive.includes(after.state) || after.archive,
    },
    offSaysNothing: { eventually: ({ state, enabled }) => enabled || state === 'NoBackup' },
    tellsWhatIs: {
      eventually: (world) =>
        !world.enabled ||
        world.storage === 'unplanned' ||
        (world.state === 'Protected') ===
          ((world.archive || world.projectStorage) &&
            world.storage === 'working' &&
            world.changesSaved &&
            !world.latestFailed),
    },
  },
};
