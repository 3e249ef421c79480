import type { CoreBackupArchive } from '../../crds/coreBackupArchive.ts';
import { conditionOf } from '../../rules/condition.ts';
import { messageInWords } from '../../rules/redaction/words.ts';
import { engineOf } from '../../rules/restore/refusals.ts';
import type { State } from '../../rules/state.ts';
import { resourceViews } from './resource.ts';

/** Backups that are due to be removed are `deleting`; `failed` where that cannot be done. */
function stateOf(archive: CoreBackupArchive): State {
  if (conditionOf(archive, 'Purged') !== undefined) return 'failed';
  if ((archive.spec.deleteAfter ?? '') !== '') return 'deleting';
  return (archive.status?.restorePoints ?? []).length > 0 ? 'ready' : 'pending';
}

/** Archives in lists and reads: what they say is why their backups are not removed. */
export const { summary: archiveSummary, read: archiveRead } = resourceViews<CoreBackupArchive>({
  kind: 'CoreBackupArchive',
  state: stateOf,
  said: (archive) => conditionOf(archive, 'Purged'),
  details: (archive, { spec, status }, { view }) => {
    const purged = conditionOf(archive, 'Purged');
    return {
      database: spec.database ?? '',
      engine: view === 'whole' ? engineOf(archive) : (spec.source?.engine ?? ''),
      deleteAfter: spec.deleteAfter ?? '',
      lastBackupTime: status.lastBackupTime ?? '',
      recoveryWindowStart: status.recoveryWindowStart ?? '',
      recoveryWindowEnd: status.recoveryWindowEnd ?? '',
      restorePoints: archive.status?.restorePoints?.length ?? 0,
      purged: purged ? { status: purged.status, reason: purged.reason, message: messageInWords(purged, view) } : null,
    };
  },
});
