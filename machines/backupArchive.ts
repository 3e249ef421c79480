import { machineOf } from './machine.ts';

/** The backups of one database: the arrows of specs/tables/backupArchive.md, and no others. */
export const backupArchive = machineOf('backupArchive', {
  initial: 'Protected',
  states: {
    Protected: {
      meta: { ensures: [] },
      on: {
        databaseFollowed: { target: 'Protected', actions: 'followDatabase' },
        finalBackupAwaited: { target: 'Protected', actions: 'followDatabase' },
        databaseDeleted: { target: 'Retired', actions: ['followDatabase', 'retire'] },
        backupsTurnedOff: { target: 'Retired', actions: 'retire' },
        namespaceChanged: { target: 'Retired', actions: 'retire' },
        ownerVanished: { target: 'Retired', actions: 'retire' },
      },
    },
    /** Restorable; no transition leads back. */
    Retired: {
      meta: { ensures: [] },
      on: {
        deletionFollowed: { target: 'Retired', actions: 'retire' },
        retentionLasted: { target: 'Retired' },
        databaseFoundAlive: { target: 'Retired' },
        folderFoundInUse: { target: 'Retired' },
        restoreFoundRunning: { target: 'Retired' },
        connectionLost: { target: 'Retired', actions: 'recordUnpurged' },
        purgeRefused: { target: 'Retired', actions: 'recordUnpurged' },
        pagePurged: { target: 'Retired', actions: 'purgePage' },
      },
    },
  },
});
