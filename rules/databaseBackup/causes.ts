import type { BackupSeen, BackupsSeen, DatabaseBackupFacts, PlaceSeen } from './facts.ts';

const backedUp: readonly string[] = ['Postgres', 'MySQL', 'SQLite'];

/** Backups are for in-cluster Postgres, MySQL and SQLite; the setting is ignored elsewhere (001 CoreDatabase). */
export const backupsOn = ({
  enabled,
  engine,
  placement,
}: Pick<DatabaseBackupFacts, 'enabled' | 'engine' | 'placement'>): boolean =>
  enabled && placement === 'InCluster' && backedUp.includes(engine);

/** An archive keeps the storage it was made with (decision 87); a new one needs that of the project. */
export const lacksPlace = ({ project, projectStorage, archive }: PlaceSeen): boolean =>
  !archive && (project === '' || !projectStorage);

/** Only Postgres has a change log to save. */
export const losesChanges = (engine: BackupSeen['engine'], { changesSaved }: BackupsSeen): boolean =>
  engine === 'Postgres' && !changesSaved;
