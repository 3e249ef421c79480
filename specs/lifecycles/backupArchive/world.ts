import type { BackupArchiveState } from '../../../machines/names.ts';
import type { BackupArchiveFacts } from '../../../rules/backupArchive/facts.ts';
import type { Absence } from '../../../rules/engine.ts';

type State = BackupArchiveState | Absence | '(deleted)';

/** One database, its archive, and the folder in the bucket. Times are stored as remaining and elapsed time. */
export interface World {
  readonly state: State;
  readonly owner: 'alive' | 'deleting' | 'gone';
  readonly backupsOn: boolean;
  readonly moved: boolean;
  readonly finalBackup: 'awaited' | 'over';
  readonly deletingForMs: number;
  readonly projectStorage: BackupArchiveFacts['projectStorage'];
  readonly earlier: boolean;
  /** The archive stands, and no pass has seen it yet. */
  readonly unseen: boolean;
  readonly leftMs: number;
  readonly retiredForMs: number;
  readonly connected: boolean;
  readonly refused: boolean;
  readonly folderInUse: boolean;
  readonly restoring: boolean;
  readonly pages: number;
  /** What must never have happened. */
  readonly removed: {
    readonly ofAlive: boolean;
    readonly early: boolean;
    readonly inUse: boolean;
    readonly restoring: boolean;
  };
}
