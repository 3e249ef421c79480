import type { Fact } from '../fact.ts';

/** The backup storage according to the cloud; `unplanned` when the backup schedule could not be determined. */
export type StorageSeen =
  | { readonly is: 'working' }
  | { readonly is: 'failing'; readonly error: string }
  | { readonly is: 'unplanned'; readonly why: string };

/** The content of the database's current archive, and the state of its backups. */
export interface BackupsSeen {
  readonly finished: boolean;
  /** Whether Postgres saves its change log; other engines have none. */
  readonly changesSaved: boolean;
  readonly latestFailed: boolean;
}

/** The parts of a database that determine where its backups go. */
export interface PlaceSeen {
  /** Empty for a shared server, which has no project and therefore no backup storage. */
  readonly project: string;
  readonly projectStorage: boolean;
  /** An archive of this database that is not retired; it keeps its storage when the project's changes. */
  readonly archive: boolean;
}

/** The facts of one pass over the backups of a database. */
export interface DatabaseBackupFacts extends PlaceSeen {
  readonly now: number;
  /** Whether backups of the deployed database are on: a draft has none. */
  readonly enabled: boolean;
  readonly engine: 'Postgres' | 'MySQL' | 'SQLite' | 'Redis';
  readonly placement: 'InCluster' | 'External';
  readonly storage: Fact<StorageSeen>;
  readonly backups: Fact<BackupsSeen>;
}

/** The same facts, all of them known: the input of the messages. */
export interface BackupSeen extends PlaceSeen {
  readonly engine: DatabaseBackupFacts['engine'];
  readonly storage: StorageSeen;
  readonly backups: BackupsSeen;
}
