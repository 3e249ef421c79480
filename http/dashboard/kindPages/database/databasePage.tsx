import { lazyPart } from '../../components/lazy.tsx';
import { DataChanges } from '../../components/resource/lazyViews.ts';
import { type ResourceReading, useResource } from '../../components/resource/reading.ts';
import { hasDisk, isExternal, isShared } from '../../model/databaseSettings.ts';
import { isServer, storageNotes } from '../../pages/database/model.ts';
import { DatabaseOverview } from '../../pages/database/overview.tsx';
import { deployActions } from '../resourceActions.ts';
import { type ResourceKind, resourcePage } from '../resourcePage.tsx';
import { connectionView, lifecycleView, metricsView } from '../views.tsx';

/** Views that bring more code than the page itself. */
const Backups = lazyPart(async () => (await import('../../pages/database/backups.tsx')).DatabaseBackups);
const Logical = lazyPart(async () => (await import('../../pages/database/logical.tsx')).LogicalOnServer);
const Sql = lazyPart(async () => (await import('../../pages/database/sql/sql.tsx')).Sql);
const DatabaseSettings = lazyPart(async () => (await import('../../pages/database/settings.tsx')).DatabaseSettings);

/** A database; a shared server has no project. */
export const database: ResourceKind<ResourceReading> = {
  kind: 'CoreDatabase',
  use: (name) => useResource({ kind: 'CoreDatabase', name, isDeployed: true }),
  actions: deployActions,
  head: ({ resource: { value } }) => ({ notes: value ? storageNotes(value) : [] }),
  changes: (reading) => <DataChanges reading={reading} />,
  views: [
    {
      name: '',
      label: 'Overview',
      show: (read, { changes }) => <DatabaseOverview read={read} changes={changes.value?.items ?? []} />,
    },
    connectionView(),
    {
      name: 'backups',
      label: 'Backups',
      isOffered: (read) => read !== null && hasDisk(read) && !isShared(read),
      show: (read, reading) => <Backups read={read} reading={reading} />,
    },
    {
      name: 'logical',
      label: 'Logical databases',
      isOffered: (read) => read !== null && isServer(read),
      show: (read) => <Logical read={read} />,
    },
    {
      name: 'sql',
      label: 'SQL',
      isOffered: (read, isAdmin) => isAdmin && read !== null && !isExternal(read),
      show: (read) => <Sql read={read} />,
    },
    { ...metricsView, isOffered: (read) => read === null || !isExternal(read) },
    lifecycleView('databases'),
    {
      name: 'settings',
      label: 'Settings',
      show: (read, { reload }) => <DatabaseSettings read={read} onSaved={reload} />,
    },
  ],
};

export const DatabasePage = resourcePage(database);
