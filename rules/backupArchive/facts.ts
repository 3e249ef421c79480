import type { Fact } from '../fact.ts';

/** The database of an archive, by its name and UID: a later one of the same name is not it. */
export type OwnerSeen =
  | { readonly is: 'gone' }
  | {
      readonly is: 'alive';
      readonly backupsOn: boolean;
      /** Whether it runs in a namespace other than the one its backups were made in. */
      readonly moved: boolean;
      /** Its deletionTimestamp, in ms since the epoch. */
      readonly deletingSince: number | null;
      /** `over` when the final backup finished, failed, or is not taken. */
      readonly finalBackup: 'awaited' | 'over';
    };

export type CloudConnectionSeen = 'ready' | 'absent' | 'noSecret' | 'noKeys';

/** What a direct listing finds in the folder of an archive; `refused` also when the page just tried was refused. */
export type FolderSeen =
  | { readonly is: 'empty' }
  | { readonly is: 'filled' }
  | { readonly is: 'refused'; readonly code: string; readonly text: string };

/** What one pass knows of an archive, or of the want of one; provisional, for no controller gathers it yet. */
export interface BackupArchiveFacts {
  readonly now: number;
  /** `spec.deleteAfter` in ms since the epoch. */
  readonly deleteAfter: number | null;
  readonly owner: Fact<OwnerSeen>;
  /** Whether another archive that is not retired uses the folder. */
  readonly folderInUse: Fact<boolean>;
  readonly connectionName: string;
  readonly connection: Fact<CloudConnectionSeen>;
  readonly folder: Fact<FolderSeen>;
  /** Name of the database's server, and the archives that carry it, with or without a suffix: read where none is. */
  readonly serverName: string;
  readonly earlier: readonly string[];
  readonly projectStorage: 'none' | 'regionUnknown' | 'ready';
}
