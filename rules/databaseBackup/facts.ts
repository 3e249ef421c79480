import type { Fact } from '../fact.ts';

/** The place of the backups as the cloud answered; `unplanned` when how to take them could not be worked out. */
export type StorageSeen =
  | { readonly is: 'working' }
  | { readonly is: 'failing'; readonly error: string }
  | { readonly is: 'unplanned'; readonly why: string };

/** What the archive that the database has now holds, and how its backups go. */
export interface BackupsSeen {
  readonly finished: boolean;
  /** Whether Postgres saves its change log; other engines have none. */
  readonly changesSaved: boolean;
  readonly latestFailed: boolean;
}

/** What of a database says where its backups could go. */
export interface PlaceSeen {
  /** Empty for a shared server, which has no project and so no backup place. */
  readonly project: string;
  readonly projectStorage: boolean;
  /** An archive of this database that is not retired: it keeps its storage whatever becomes of the project's. */
  readonly archive: boolean;
}

/** What one pass knows of the backups of a database; provisional, for no controller gathers it yet. */
export interface DatabaseBackupFacts extends PlaceSeen {
  readonly enabled: boolean;
  readonly engine: 'Postgres' | 'MySQL' | 'SQLite' | 'Redis';
  readonly placement: 'InCluster' | 'External';
  readonly storage: Fact<StorageSeen>;
  readonly backups: Fact<BackupsSeen>;
}

/** The same when everything is known: what a message is made of. */
export interface BackupSeen extends PlaceSeen {
  readonly engine: DatabaseBackupFacts['engine'];
  readonly storage: StorageSeen;
  readonly backups: BackupsSeen;
}
