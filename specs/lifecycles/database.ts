import { database } from '../../machines/database.ts';
import { databaseEvents, databaseEventsWith } from '../../rules/database/events.ts';
import { databaseLimits } from '../../rules/database/limits.ts';
import { databaseReady } from '../../rules/database/ready.ts';
import { subject, verdictSubject } from '../check/subject.ts';
import { documents } from './database/documents.ts';
import { facts, invalid, standing } from './database/facts.ts';
import { readyOf } from './database/blockers.ts';
import { model } from './database/model.ts';

/** The check of a database. */
export const lifecycle = subject({
  name: 'database',
  machine: database,
  rules: databaseEvents,
  files: { machine: 'machines/database.ts', rules: 'rules/database' },
  limits: {
    values: databaseLimits,
    // Room is checked where it is deployed.
    elsewhere: ['haInstances'],
    rules: (values) => databaseEventsWith({ ...databaseLimits, ...values }),
  },
  acts: [
    'applyWorkload',
    'createRestoreJob',
    'deleteWorkload',
    'discardRestore',
    'retireArchive',
    'startFinalBackup',
    'writeConnection',
  ],
  provisional: false,
  facts,
  invalid,
  documents,
  verdicts: {
    Ready: verdictSubject({
      table: databaseReady,
      file: 'rules/database/ready.ts',
      facts: standing,
      documents: readyOf,
    }),
  },
  model,
});
