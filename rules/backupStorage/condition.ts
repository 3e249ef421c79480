import type { Verdict } from '../condition.ts';
import { readOut, type VerdictRule } from '../verdict.ts';
import { closed, hidden, sentence } from '../words.ts';
import type { StorageState } from './state.ts';

/** The condition of a project about its backup storage. */
export const backupStorageCondition = 'BackupStorage';

const verdicts: readonly VerdictRule<StorageState>[] = [
  {
    reason: 'StorageFails',
    status: 'False',
    when: ({ is }) => is === 'failing',
    message: (state) =>
      sentence('Backup storage is not working: {error}', { error: hidden(state.is === 'failing' ? state.error : '') }),
  },
  {
    reason: 'Waiting',
    status: 'Unknown',
    when: ({ is }) => is === 'waiting',
    message: (state) => sentence('waiting: {why}', { why: hidden(state.is === 'waiting' ? state.why : '') }),
  },
  { reason: 'StorageWorks', status: 'True', when: () => true, message: () => closed('backup storage works') },
];

export const backupStorageVerdict = (state: StorageState): Verdict => readOut(backupStorageCondition, verdicts, state);
