import type { BackupArchiveState } from '../../machines/names.ts';
import type { Fact } from '../fact.ts';

/** The database of an archive, by name and UID: a later database of the same name is a different owner. */
export type OwnerSeen =
  | { readonly is: 'gone' }
  | {
      readonly is: 'alive';
      readonly backupsOn: boolean;
      /** True when it runs in another namespace than that of its backups. */
      readonly moved: boolean;
      /** Its deletionTimestamp, in ms since the epoch. */
      readonly deletingSince: number | null;
      /** `over` once the final backup has finished, or when none is taken; a failed one is retried. */
      readonly finalBackup: 'awaited' | 'over';
    };

export type CloudConnectionSeen = 'ready' | 'absent' | 'noSecret' | 'noKeys';

/** What a direct listing finds in the folder of an archive; `refused` also when the last listed page was refused. */
export type FolderSeen =
  | { readonly is: 'empty' }
  | { readonly is: 'filled' }
  | { readonly is: 'refused'; readonly code: string; readonly text: string };

/** The facts of one pass over an archive, or over a database that lacks one. */
export interface BackupArchiveFacts {
  readonly now: number;
  /** The state of an archive whose creation is not in its history; null in every other pass. */
  readonly found: BackupArchiveState | null;
  /** `spec.deleteAfter` in ms since the epoch. */
  readonly deleteAfter: number | null;
  readonly owner: Fact<OwnerSeen>;
  /** Whether another archive that is not retired uses the folder. */
  readonly folderInUse: Fact<boolean>;
  /** Whether a database is being restored from these backups. */
  readonly restoring: Fact<boolean>;
  readonly connectionName: string;
  readonly connection: Fact<CloudConnectionSeen>;
  readonly folder: Fact<FolderSeen>;
  /**
   * Name of the database's server, and the archives that carry it, with or without a suffix; read when the database has
   * no archive.
   */
  readonly serverName: string;
  readonly earlier: readonly string[];
  readonly projectStorage: 'none' | 'regionUnknown' | 'ready';
}
