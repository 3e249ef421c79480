import { machineOf } from './machine.ts';

/** The findings of any state and their meaning for the data. */
const found = {
  storageMissing: { target: 'NeedsStorage', actions: 'recordBackup' },
  storageFailed: { target: 'NeedsStorage', actions: 'recordBackup' },
  firstBackupAwaited: { target: 'Starting', actions: 'recordBackup' },
  changesUnsaved: { target: 'AtRisk', actions: 'recordBackup' },
  latestBackupFailed: { target: 'AtRisk', actions: 'recordBackup' },
} as const;

const turnsOff = { backupsTurnedOff: { target: 'NoBackup', actions: 'removeBackup' } } as const;

/** Whether the data of a database are saved: the arrows of specs/tables/databaseBackup.md, and no others. */
export const databaseBackup = machineOf('databaseBackup', {
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
