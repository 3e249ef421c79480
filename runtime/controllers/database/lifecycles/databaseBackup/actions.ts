import type { DatabaseBackupAction } from '../../../../../machines/names.ts';
import type { CoreDatabase } from '../../../../../crds/coreDatabase.ts';
import type { BackupsSeen, DatabaseBackupFacts } from '../../../../../rules/databaseBackup/facts.ts';
import { backupMessage } from '../../../../../rules/databaseBackup/message.ts';
import { readOut } from '../../../../../rules/verdict.ts';
import type { Acting, Actions } from '../../../../contract/lifecycle.ts';
import { archiveOf } from '../../../backupArchive/read.ts';

/** The observation before any backup exists. */
export const none: BackupsSeen = { finished: false, changesSaved: true, latestFailed: false };

function recordBackup({ object, reader, facts }: Acting<CoreDatabase, DatabaseBackupFacts>) {
  const archive = archiveOf(object, reader);
  const verdict = readOut('Backup', backupMessage, {
    ...facts,
    storage: facts.storage.is === 'known' ? facts.storage.value : { is: 'working' },
    backups: facts.backups.is === 'known' ? facts.backups.value : none,
  });
  // The known times stay until the points are listed.
  const known = archive?.status?.restorePoints === undefined ? { ...object.status?.backup } : {};
  const { lastBackupTime, recoveryWindowStart } = { ...known, ...archive?.status };
  return {
    backup: {
      state: verdict.reason,
      message: verdict.message,
      ...(archive ? { archive: archive.metadata.name } : {}),
      ...(lastBackupTime ? { lastBackupTime } : {}),
      ...(recoveryWindowStart ? { recoveryWindowStart } : {}),
    },
  };
}

/** The named actions of the backups of a database. */
export const actions: Actions<DatabaseBackupAction, CoreDatabase, DatabaseBackupFacts> = {
  recordBackup: { patch: recordBackup },
  removeBackup: { patch: () => ({ backup: null }) },
};
