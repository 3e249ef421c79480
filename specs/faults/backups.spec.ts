import { partOf, sliceOf } from './slice.ts';
import { backupArchiveSubject } from './subjects/backupArchive.ts';
import { databaseBackupSubject } from './subjects/databaseBackup.ts';

const subjects = [partOf(databaseBackupSubject, 24), partOf(backupArchiveSubject, 8)];
const spec = sliceOf('faults: a slice of the plans of backups and their archives', subjects, 4_000);
spec.run();
