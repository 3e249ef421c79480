import { logicalDatabase } from '../../machines/logicalDatabase.ts';
import { logicalDatabaseEvents, logicalDatabaseEventsWith } from '../../rules/logicalDatabase/events.ts';
import { logicalDatabaseLimits, type LogicalDatabaseLimits } from '../../rules/logicalDatabase/limits.ts';
import { logicalDatabaseReady } from '../../rules/logicalDatabase/ready.ts';
import { subject, verdictSubject } from '../check/subject.ts';
import { documents, readyRow } from './logicalDatabase/documents.ts';
import { facts, invalid, seen } from './logicalDatabase/facts.ts';
import { model } from './logicalDatabase/model.ts';

/** A database on a server of its project, or on the shared one. */
export const lifecycle = subject({
  name: 'logicalDatabase',
  machine: logicalDatabase,
  rules: logicalDatabaseEvents,
  files: { machine: 'machines/logicalDatabase.ts', rules: 'rules/logicalDatabase' },
  limits: {
    values: logicalDatabaseLimits,
    rules: (values) => logicalDatabaseEventsWith(values as LogicalDatabaseLimits),
  },
  acts: ['createDropJob', 'createJob', 'removeJobs', 'removeSecrets', 'writeConnection'],
  provisional: false,
  facts,
  invalid,
  documents,
  verdicts: {
    Ready: verdictSubject({
      table: logicalDatabaseReady,
      file: 'rules/logicalDatabase/ready.ts',
      facts: seen,
      documents: readyRow,
    }),
  },
  model,
});
