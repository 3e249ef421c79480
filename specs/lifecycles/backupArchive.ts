import { backupArchive } from '../../machines/backupArchive.ts';
import {
  backupArchiveEvents,
  backupArchiveEventsWith,
  backupArchiveLimits,
  type BackupArchiveLimits,
} from '../../rules/backupArchive/events.ts';
import { archivePurged } from '../../rules/backupArchive/purged.ts';
import { subject, verdictSubject } from '../check/subject.ts';
import { documents, unpurgedRow } from './backupArchive/documents.ts';
import { facts, invalid, unpurged } from './backupArchive/facts.ts';
import { model } from './backupArchive/model.ts';

/** The backups of one database. */
export const lifecycle = subject({
  name: 'backupArchive',
  machine: backupArchive,
  rules: backupArchiveEvents,
  files: { machine: 'machines/backupArchive.ts', rules: 'rules/backupArchive' },
  limits: {
    values: backupArchiveLimits,
    rules: (values) => backupArchiveEventsWith(values as BackupArchiveLimits),
  },
  acts: ['followDatabase', 'purgePage'],
  provisional: false,
  facts,
  invalid,
  documents,
  verdicts: {
    Purged: verdictSubject({
      table: archivePurged,
      file: 'rules/backupArchive/purged.ts',
      facts: unpurged,
      documents: unpurgedRow,
    }),
  },
  model,
});
