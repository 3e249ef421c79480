import type { DatabaseBackupEvent, DatabaseBackupState } from '../../../machines/names.ts';
import type { BackupSeen, DatabaseBackupFacts } from '../../../rules/databaseBackup/facts.ts';
import type { Absence } from '../../../rules/engine.ts';

const protectedBy = {
  NoBackup: 'backupFound',
  NeedsStorage: 'storageRecovered',
  Starting: 'firstBackupFinished',
  Protected: 'backupsRan',
  AtRisk: 'causeCleared',
} as const satisfies Record<DatabaseBackupState, DatabaseBackupEvent['type']>;

/** 001 Backup state with decision 90: what happened. */
export function documents(
  state: DatabaseBackupState | Absence,
  facts: DatabaseBackupFacts,
): DatabaseBackupEvent['type'] | null {
  if (state === '(none)' || facts.storage.is !== 'known' || facts.backups.is !== 'known') return null;
  const ignored = facts.engine === 'Redis' || facts.placement === 'External';
  if (ignored || !facts.enabled) return state === 'NoBackup' ? 'backupsStayedOff' : 'backupsTurnedOff';
  const seen = { ...facts, storage: facts.storage.value, backups: facts.backups.value };
  return whereTheyGo(seen) ?? howTheyGo(seen) ?? protectedBy[state];
}

function whereTheyGo({ project, projectStorage, archive, storage }: BackupSeen) {
  const sharedServer = project === '';
  const nowhere = sharedServer ? true : !projectStorage;
  if (nowhere && !archive) return 'storageMissing';
  if (storage.is === 'unplanned') return 'planUnclear';
  return storage.is === 'failing' ? 'storageFailed' : null;
}

function howTheyGo({ engine, backups }: BackupSeen) {
  if (!backups.finished) return 'firstBackupAwaited';
  if (engine === 'Postgres' && !backups.changesSaved) return 'changesUnsaved';
  return backups.latestFailed ? 'latestBackupFailed' : null;
}

/** The row of the message table that holds. */
export function message({ project, projectStorage, archive, engine, storage, backups }: BackupSeen): string {
  if (!archive && !projectStorage) return 'BAK-078';
  if (!archive && project === '') return 'BAK-078';
  if (storage.is === 'failing') return 'BAK-079';
  if (!backups.finished) return 'BAK-080';
  if (engine === 'Postgres' && !backups.changesSaved) return 'BAK-082';
  return backups.latestFailed ? 'BAK-083' : 'BAK-081';
}
