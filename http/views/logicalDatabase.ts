import type { CoreLogicalDatabase } from '../../crds/coreLogicalDatabase.ts';
import { resourceViews } from './resource.ts';

export const { summary: logicalSummary, read: logicalRead } = resourceViews<CoreLogicalDatabase>({
  kind: 'CoreLogicalDatabase',
  details: (_, { spec, status }, { reason }) => ({
    server: spec.serverRef ?? '',
    database: status.database ?? spec.databaseName ?? '',
    reason,
  }),
});
