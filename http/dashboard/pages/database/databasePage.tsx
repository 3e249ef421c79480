import type { Read } from '../../../api.ts';
import { api } from '../../api.ts';
import { lazyPart } from '../../components/lazy.tsx';
import { ResourceHead } from '../../components/resource/head.tsx';
import { Connection, DataChanges, Lifecycle, Metrics } from '../../components/resource/lazyViews.ts';
import { type NamedPlace, ResourcePage } from '../../components/resource/page.tsx';
import type { ResourceReading } from '../../components/resource/reading.ts';
import { addressOf } from '../../routes.ts';
import { isAdmin } from '../../store/session.ts';
import { type DatabaseView, databaseViewOf, databaseViewsFor, storageNotes } from './model.ts';
import { DatabaseOverview } from './overview.tsx';
import { useDatabase } from './reading.ts';

/** Views that bring more code than the page itself. */
const Backups = lazyPart(async () => (await import('./backups.tsx')).DatabaseBackups);
const Logical = lazyPart(async () => (await import('./logical.tsx')).LogicalOnServer);
const Sql = lazyPart(async () => (await import('./sql/sql.tsx')).Sql);
const DatabaseSettings = lazyPart(async () => (await import('./settings.tsx')).DatabaseSettings);

/** One database: what it is, why, and until when; what waits for a deploy; and its views. A shared server has no project. */
export function DatabasePage({ name, view, ...place }: NamedPlace) {
  const reading = useDatabase(name);
  const { value } = reading.resource;
  const current = databaseViewOf(view);
  return (
    <ResourcePage
      {...place}
      reading={reading}
      view={view}
      current={current}
      views={databaseViewsFor(value, { isAdmin: isAdmin() })}
      addressOf={addressOf.database}
      head={<ResourceHead reading={reading} notes={value ? storageNotes(value) : []} />}
      changes={<DataChanges reading={reading} />}
    >
      {(read) => <View key={current} view={current} read={read} reading={reading} />}
    </ResourcePage>
  );
}

interface ViewProps {
  readonly view: DatabaseView;
  readonly read: Read;
  readonly reading: ResourceReading;
}

function View({ view, read, reading }: ViewProps) {
  const { name } = reading;
  switch (view) {
    case '':
      return <DatabaseOverview read={read} changes={reading.changes.value?.items ?? []} />;
    case 'connection':
      return <Connection read={read} path={api.ofDatabase(name, 'connection')} />;
    case 'backups':
      return <Backups read={read} reading={reading} />;
    case 'logical':
      return <Logical read={read} />;
    case 'sql':
      return <Sql read={read} />;
    case 'metrics':
      return <Metrics path={api.ofDatabase(name, 'metrics')} />;
    case 'lifecycle':
      return <Lifecycle reading={reading} what="databases" />;
    case 'settings':
      return <DatabaseSettings read={read} onSaved={reading.reload} />;
  }
}
