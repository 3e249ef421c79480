import type { CoreDatabase } from '../../crds/coreDatabase.ts';
import { pendingOf } from '../../rules/draftDeploy/stored.ts';
import { resourceViews } from './resource.ts';

export const { summary: databaseSummary, read: databaseRead } = resourceViews<CoreDatabase>({
  kind: 'CoreDatabase',
  details: (database, { spec, status }, { reason }) => ({
    engine: spec.engine ?? '',
    version: spec.version ?? '',
    placement: spec.placement ?? '',
    provider: spec.provider ?? '',
    host: status.host ?? '',
    storageSize: spec.storageSize ?? '',
    highAvailability: spec.highAvailability ?? false,
    region: spec.serverRegion ?? '',
    backup: status.backup ?? null,
    pending: pendingOf(database),
    reason,
  }),
});
