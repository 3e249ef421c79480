import { setup } from 'xstate';

export type DatabaseBackupEvent = {
  readonly type:
    | 'backupFound'
    | 'backupsRan'
    | 'backupsStayedOff'
    | 'backupsTurnedOff'
    | 'causeCleared'
    | 'changesUnsaved'
    | 'firstBackupAwaited'
    | 'firstBackupFinished'
    | 'latestBackupFailed'
    | 'planUnclear'
    | 'storageFailed'
    | 'storageMissing'
    | 'storageRecovered';
};

/** What must hold while a database has backups. */
export type DatabaseBackupEnsure = 'archiveKept';

/** Actions are named here and performed by the runtime; none runs inside a step. */
const named = () => {};
const actions = {
  recordBackup: named,
  removeBackup: named,
};
export type DatabaseBackupAction = keyof typeof actions;

/** What is found in any state, and what it says of the data. */
const found = {
  storageMissing: { target: 'NeedsStorage', actions: 'recordBackup' },
  storageFailed: { target: 'NeedsStorage', actions: 'recordBackup' },
  firstBackupAwaited: { target: 'Starting', actions: 'recordBackup' },
  changesUnsaved: { target: 'AtRisk', actions: 'recordBackup' },
  latestBackupFailed: { target: 'AtRisk', actions: 'recordBackup' },
} as const;

const turnsOff = { backupsTurnedOff: { target: 'NoBackup', actions: 'removeBackup' } } as const;

/** Whether the data of a database are safe: the arrows of specs/tables/databaseBackup.md, no more. */
export const databaseBackup = setup({
  types: { events: {} as DatabaseBackupEvent, meta: {} as { readonly ensures: readonly DatabaseBackupEnsure[] } },
  actions,
}).createMachine({
  id: 'databaseBackup',
  initial: 'NoBackup',
  states: {
    /** `status.backup` is absent. */
    NoBackup: {
      meta: { ensures: [] },
      on: {
        ...found,
        backupsStayedOff: { target: 'NoBackup' },
        planUnclear: { target: 'NoBackup' },
        backupFound: { target: 'Protected', actions: 'recordBackup' },
      },
    },
    NeedsStorage: {
      meta: { ensures: [] },
      on: {
        ...found,
        ...turnsOff,
        planUnclear: { target: 'NeedsStorage' },
        storageRecovered: { target: 'Protected', actions: 'recordBackup' },
      },
    },
    Starting: {
      meta: { ensures: ['archiveKept'] },
      on: {
        ...found,
        ...turnsOff,
        planUnclear: { target: 'Starting' },
        firstBackupFinished: { target: 'Protected', actions: 'recordBackup' },
      },
    },
    Protected: {
      meta: { ensures: ['archiveKept'] },
      on: {
        ...found,
        ...turnsOff,
        planUnclear: { target: 'Protected' },
        backupsRan: { target: 'Protected', actions: 'recordBackup' },
      },
    },
    AtRisk: {
      meta: { ensures: ['archiveKept'] },
      on: {
        ...found,
        ...turnsOff,
        planUnclear: { target: 'AtRisk' },
        causeCleared: { target: 'Protected', actions: 'recordBackup' },
      },
    },
  },
});

export type DatabaseBackupState = 'NoBackup' | 'NeedsStorage' | 'Starting' | 'Protected' | 'AtRisk';
