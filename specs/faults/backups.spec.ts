import { isChosen } from '../support/share.ts';
import { sliceOf } from './slice.ts';
import { backupArchiveSubject } from './subjects/backupArchive.ts';
import { databaseBackupSubject } from './subjects/databaseBackup.ts';
import type { FaultSubject } from './subjects/subject.ts';

/** Each path has thousands of plans; the suite takes up a few of the paths. */
const part = (subject: FaultSubject, oneOf: number): FaultSubject => ({
  ...subject,
  paths: subject.paths.filter((_, at) => isChosen(at, oneOf)),
});

const subjects = [part(databaseBackupSubject, 12), part(backupArchiveSubject, 5)];
const spec = sliceOf('faults: a slice of the plans of backups and their archives', subjects, 4_000);
spec.run();
