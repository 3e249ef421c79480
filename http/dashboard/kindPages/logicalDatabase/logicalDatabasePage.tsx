import { type ResourceReading, useResource } from '../../components/resource/reading.ts';
import { LogicalOverview } from '../../pages/logicalDatabase/overview.tsx';
import { retryActions } from '../resourceActions.ts';
import { type ResourceKind, resourcePage } from '../resourcePage.tsx';
import { connectionView, lifecycleView } from '../views.tsx';

/** A logical database, whose settings are never deployed. */
export const logicalDatabase: ResourceKind<ResourceReading> = {
  kind: 'CoreLogicalDatabase',
  use: (name) => useResource({ kind: 'CoreLogicalDatabase', name, isDeployed: false }),
  actions: retryActions,
  views: [
    { name: '', label: 'Overview', show: (read) => <LogicalOverview read={read} /> },
    connectionView(),
    lifecycleView('logical databases'),
  ],
};

export const LogicalDatabasePage = resourcePage(logicalDatabase);
