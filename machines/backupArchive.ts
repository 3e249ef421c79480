import { setup } from 'xstate';

/** The last four belong to absence: what makes an archive, and what removes it. */
export type BackupArchiveEvent = {
  readonly type:
    | 'backupsTurnedOff'
    | 'connectionLost'
    | 'databaseDeleted'
    | 'databaseFollowed'
    | 'databaseFoundAlive'
    | 'finalBackupAwaited'
    | 'folderFoundInUse'
    | 'namespaceChanged'
    | 'ownerVanished'
    | 'pagePurged'
    | 'purgeRefused'
    | 'retentionLasted'
    | 'backupsTurnedOn'
    | 'backupsTurnedOnAgain'
    | 'purged'
    | 'regionAwaited';
};

/** Actions are named here and performed by the runtime; none runs inside a step. */
const named = () => {};
const actions = {
  followDatabase: named,
  purgePage: named,
  recordUnpurged: named,
  retire: named,
};
export type BackupArchiveAction = keyof typeof actions;

/** The backups of one database: the arrows of specs/tables/backupArchive.md, no more. */
export const backupArchive = setup({
  types: { events: {} as BackupArchiveEvent, meta: {} as { readonly ensures: readonly never[] } },
  actions,
}).createMachine({
  id: 'backupArchive',
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
    /** Still restorable; nothing leads back. */
    Retired: {
      meta: { ensures: [] },
      on: {
        retentionLasted: { target: 'Retired' },
        databaseFoundAlive: { target: 'Retired' },
        folderFoundInUse: { target: 'Retired' },
        connectionLost: { target: 'Retired', actions: 'recordUnpurged' },
        purgeRefused: { target: 'Retired', actions: 'recordUnpurged' },
        pagePurged: { target: 'Retired', actions: 'purgePage' },
      },
    },
  },
});

export type BackupArchiveState = 'Protected' | 'Retired';
