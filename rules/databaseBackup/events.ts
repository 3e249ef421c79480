import type { DatabaseBackupEvent, DatabaseBackupState } from '../../machines/names.ts';
import { type EventRule, ruleFor } from '../engine.ts';
import { backupsOn, lacksPlace, losesChanges } from './causes.ts';
import type { DatabaseBackupFacts } from './facts.ts';
import { backupText } from './message.ts';
import { closed, hidden, sentence } from '../words.ts';

const rule = ruleFor<DatabaseBackupFacts, DatabaseBackupState, DatabaseBackupEvent['type']>();
const always = () => true;
const soon = { afterMs: 60_000 };
/** The recovery window ends about five minutes ago, so it is rewritten that often. */
const windowMoves = { afterMs: 300_000 };

const off = ['NoBackup'] as const;
const on = ['NeedsStorage', 'Starting', 'Protected', 'AtRisk'] as const;
const all = [...off, ...on] as const;

/** The order is decision 90's: no place, failing storage, no backup yet, changes not saved, latest backup failed. */
export const databaseBackupEvents: readonly EventRule<
  DatabaseBackupFacts,
  DatabaseBackupState,
  DatabaseBackupEvent['type']
>[] = [
  rule({
    id: 'still-off',
    in: off,
    when: (facts) => !backupsOn(facts),
    then: 'backupsStayedOff',
    says: () => closed('backups are off'),
  }),
  rule({
    id: 'turned-off',
    in: on,
    when: (facts) => !backupsOn(facts),
    then: 'backupsTurnedOff',
    says: () => closed('backups were turned off'),
  }),
  rule({
    id: 'no-place',
    in: all,
    when: lacksPlace,
    then: 'storageMissing',
    says: () => backupText.noPlace,
  }),
  rule({
    id: 'plan-unclear',
    in: all,
    needs: ['storage'],
    when: ({ storage }) => storage.value.is === 'unplanned',
    then: 'planUnclear',
    says: ({ storage }) =>
      sentence('how to take backups could not be worked out{what}', {
        what: hidden(storage.value.is === 'unplanned' ? `: ${storage.value.why}` : ''),
      }),
    look: soon,
  }),
  rule({
    id: 'storage-fails',
    in: all,
    needs: ['storage'],
    when: ({ storage }) => storage.value.is === 'failing',
    then: 'storageFailed',
    says: ({ storage }) => backupText.storageFails(storage.value),
    look: soon,
  }),
  rule({
    id: 'no-backup-yet',
    in: all,
    needs: ['backups'],
    when: ({ backups }) => !backups.value.finished,
    then: 'firstBackupAwaited',
    says: () => backupText.firstAwaited,
    look: soon,
  }),
  rule({
    id: 'changes-not-saved',
    in: all,
    needs: ['backups'],
    when: ({ engine, backups }) => losesChanges(engine, backups.value),
    then: 'changesUnsaved',
    says: () => backupText.changesNotSaved,
    look: soon,
  }),
  rule({
    id: 'latest-failed',
    in: all,
    needs: ['backups'],
    when: ({ backups }) => backups.value.latestFailed,
    then: 'latestBackupFailed',
    says: () => backupText.latestFailed,
    look: soon,
  }),
  rule({
    id: 'backup-found',
    in: off,
    when: always,
    then: 'backupFound',
    says: () => closed('a backup of this database exists'),
    look: windowMoves,
  }),
  rule({
    id: 'storage-recovered',
    in: ['NeedsStorage'],
    when: always,
    then: 'storageRecovered',
    says: () => closed('the backup storage works again'),
    look: windowMoves,
  }),
  rule({
    id: 'first-finished',
    in: ['Starting'],
    when: always,
    then: 'firstBackupFinished',
    says: () => closed('the first backup finished'),
    look: windowMoves,
  }),
  rule({
    id: 'backups-run',
    in: ['Protected'],
    when: always,
    then: 'backupsRan',
    says: () => backupText.running,
    look: windowMoves,
  }),
  rule({
    id: 'cause-cleared',
    in: ['AtRisk'],
    when: always,
    then: 'causeCleared',
    says: () => closed('what put the backups at risk is gone'),
    look: windowMoves,
  }),
];
