import type { VerdictRule } from '../verdict.ts';
import { lacksPlace, losesChanges } from './causes.ts';
import type { BackupSeen, StorageSeen } from './facts.ts';
import { hidden, open, sentence } from '../words.ts';

/** The messages about backups, by cause. */
export const backupText = {
  noPlace: open('Choose where backups are stored to protect this database'),
  storageFails: (storage: StorageSeen) =>
    sentence('Backup storage is not working: {error}', {
      error: hidden(storage.is === 'failing' ? storage.error : ''),
    }),
  firstAwaited: open('Taking the first backup'),
  changesNotSaved: open('Recent changes are not being saved to backup storage'),
  latestFailed: open('The latest backup failed'),
  running: open('Backups are running'),
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
