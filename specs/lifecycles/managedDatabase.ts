import { managedDatabase } from '../../machines/managedDatabase.ts';
import { managedDatabaseEvents, managedDatabaseEventsWith } from '../../rules/managedDatabase/events.ts';
import { managedDatabaseLimits } from '../../rules/managedDatabase/limits.ts';
import { managedDatabaseMessage } from '../../rules/managedDatabase/message.ts';
import { subject, verdictSubject } from '../check/subject.ts';
import { documents, messageOf } from './managedDatabase/documents.ts';
import { facts, invalid, seen } from './managedDatabase/facts.ts';
import { model } from './managedDatabase/model.ts';

/** The check of a managed database. */
export const lifecycle = subject({
  name: 'managedDatabase',
  machine: managedDatabase,
  rules: managedDatabaseEvents,
  files: { machine: 'machines/managedDatabase.ts', rules: 'rules/managedDatabase' },
  limits: {
    values: managedDatabaseLimits,
    rules: (values) => managedDatabaseEventsWith({ ...managedDatabaseLimits, ...values }),
  },
  acts: ['createDatabase', 'deleteConnection', 'issueLogin', 'revokeLogin', 'storeConnection'],
  provisional: false,
  facts,
  invalid,
  documents,
  verdicts: {
    Message: verdictSubject({
      table: managedDatabaseMessage,
      file: 'rules/managedDatabase/message.ts',
      facts: seen,
      documents: messageOf,
    }),
  },
  model,
});
