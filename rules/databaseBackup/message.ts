import type { VerdictRule } from '../verdict.ts';
import { lacksPlace, losesChanges } from './causes.ts';
import type { BackupSeen, StorageSeen } from './facts.ts';

/** What a person reads of the backups, by its cause. */
export const backupText = {
  noPlace: 'Choose where backups are stored to protect this database',
  storageFails: (storage: StorageSeen) =>
    `Backup storage is not working: ${storage.is === 'failing' ? storage.error : ''}`,
  firstAwaited: 'Taking the first backup',
  changesNotSaved: 'Recent changes are not being saved to backup storage',
  latestFailed: 'The latest backup failed',
  running: 'Backups are running',
} as const;

/** `status.backup` of a database with backups, in the order checked; the reason is its state. */
export const backupMessage: readonly VerdictRule<BackupSeen>[] = [
  { reason: 'NeedsStorage', status: 'False', when: lacksPlace, message: () => backupText.noPlace },
  {
    reason: 'NeedsStorage',
    status: 'False',
    when: ({ storage }) => storage.is === 'failing',
    message: ({ storage }) => backupText.storageFails(storage),
  },
  {
    reason: 'Starting',
    status: 'False',
    when: ({ backups }) => !backups.finished,
    message: () => backupText.firstAwaited,
  },
  {
    reason: 'AtRisk',
    status: 'False',
    when: ({ engine, backups }) => losesChanges(engine, backups),
    message: () => backupText.changesNotSaved,
  },
  {
    reason: 'AtRisk',
    status: 'False',
    when: ({ backups }) => backups.latestFailed,
    message: () => backupText.latestFailed,
  },
  { reason: 'Protected', status: 'True', when: () => true, message: () => backupText.running },
];
