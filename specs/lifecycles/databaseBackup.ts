import { databaseBackup } from '../../machines/databaseBackup.ts';
import { databaseBackupEvents } from '../../rules/databaseBackup/events.ts';
import { backupMessage } from '../../rules/databaseBackup/message.ts';
import { subject, verdictSubject } from '../check/subject.ts';
import { documents, message } from './databaseBackup/documents.ts';
import { facts, invalid, seen } from './databaseBackup/facts.ts';
import { model } from './databaseBackup/model.ts';

/** Whether the data of a database is safe. */
export const lifecycle = subject({
  name: 'databaseBackup',
  machine: databaseBackup,
  rules: databaseBackupEvents,
  files: { machine: 'machines/databaseBackup.ts', rules: 'rules/databaseBackup' },
  provisional: false,
  facts,
  invalid,
  documents,
  verdicts: {
    Message: verdictSubject({
      table: backupMessage,
      file: 'rules/databaseBackup/message.ts',
      facts: seen,
      documents: message,
    }),
  },
  model,
});
