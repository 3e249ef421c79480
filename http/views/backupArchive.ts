import type { CoreBackupArchive } from '../../crds/coreBackupArchive.ts';
import { annotation } from '../../crds/names.ts';
import type { View } from '../../rules/access/needs.ts';
import { conditionOf } from '../../rules/condition.ts';
import { redacted, type RedactedCopy } from '../../rules/redaction/redact.ts';
import { messageInWords } from '../../rules/redaction/words.ts';
import type { State } from '../../rules/state.ts';
import type { Read, Summary } from '../api.ts';

/** Backups that are due to be removed are `deleting`; `failed` where that cannot be done. */
function stateOf(archive: CoreBackupArchive): State {
  if (conditionOf(archive, 'Purged') !== undefined) return 'failed';
  if ((archive.spec.deleteAfter ?? '') !== '') return 'deleting';
  return (archive.status?.restorePoints ?? []).length > 0 ? 'ready' : 'pending';
}

const detailsOf = (
  archive: CoreBackupArchive,
  { spec, status }: RedactedCopy<CoreBackupArchive>,
  view: View,
): Summary['details'] => {
  const purged = conditionOf(archive, 'Purged');
  return {
    database: spec.database ?? '',
    engine: spec.source?.engine ?? '',
    deleteAfter: spec.deleteAfter ?? '',
    lastBackupTime: status.lastBackupTime ?? '',
    recoveryWindowStart: status.recoveryWindowStart ?? '',
    recoveryWindowEnd: status.recoveryWindowEnd ?? '',
    restorePoints: archive.status?.restorePoints?.length ?? 0,
    purged: purged ? { status: purged.status, reason: purged.reason, message: messageInWords(purged, view) } : null,
  };
};

/** An archive in the shape of every list and read (decision 23). */
export const archiveSummary = (archive: CoreBackupArchive, view: View): Summary =>
  summaryOf(archive, redacted('CoreBackupArchive', archive, view), view);

function summaryOf(archive: CoreBackupArchive, copy: RedactedCopy<CoreBackupArchive>, view: View): Summary {
  const { metadata, spec } = archive;
  const purged = conditionOf(archive, 'Purged');
  return {
    kind: 'CoreBackupArchive',
    name: metadata.name,
    displayName: copy.metadata.annotations?.[annotation.displayName] ?? metadata.name,
    project: spec.project,
    environment: spec.environment,
    state: stateOf(archive),
    message: purged ? messageInWords(purged, view) : '',
    createdAt: metadata.creationTimestamp ?? '',
    url: '',
    details: detailsOf(archive, copy, view),
  };
}

/** An archive with its restore points, redacted for a view. */
export function archiveRead(archive: CoreBackupArchive, view: View): Read {
  const copy = redacted('CoreBackupArchive', archive, view);
  return { resource: summaryOf(archive, copy, view), spec: copy.spec, status: copy.status };
}
