import type { CoreDatabase } from '../../crds/coreDatabase.ts';
import { unplannedOf } from '../../rules/backup/names.ts';
import { backupTime } from '../../rules/backup/schedule.ts';
import { versionOf } from '../../rules/database/effective.ts';
import { appliesAtOnce, waitingKinds } from '../../rules/draftDeploy/waits.ts';
import type { RedactedCopy } from '../../rules/redaction/redact.ts';
import { resourceViews } from './resource.ts';

export const { summary: databaseSummary, read: databaseRead } = resourceViews<CoreDatabase>({
  kind: 'CoreDatabase',
  details: (database, { spec, status }, { reason }) => ({
    engine: spec.engine ?? '',
    version: versionOf(spec),
    placement: spec.placement ?? '',
    provider: spec.provider ?? '',
    host: status.host ?? '',
    storageSize: spec.storageSize ?? '',
    highAvailability: spec.highAvailability ?? false,
    region: spec.serverRegion ?? '',
    backup: backupOf(database, status.backup),
    pending: waitingKinds('database', database),
    appliesAtOnce: appliesAtOnce('database', database),
    reason,
  }),
});

/** What a database says of its backups, and at which time of day, UTC, one is taken; empty where none is planned. */
function backupOf({ metadata, spec }: CoreDatabase, backup: RedactedCopy<CoreDatabase>['status']['backup']) {
  if (!backup) return null;
  const isPlanned = (backup.archive ?? '') !== '' && unplannedOf(metadata.name, spec.engine) === '';
  return { ...backup, dailyAt: isPlanned ? backupTime(metadata.name) : '' };
}
