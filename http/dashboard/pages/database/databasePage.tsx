import type { Deployed, Read } from '../../../api.ts';
import { act, api } from '../../api.ts';
import { ChangesBar } from '../../parts/changesBar.tsx';
import { lazyPart } from '../../parts/lazy.tsx';
import { ResourcePage } from '../../parts/resourcePage.tsx';
import { addressOf, type Place } from '../../routes.ts';
import { isAdmin } from '../../store/session.ts';
import { type DatabaseView, databaseViewOf, databaseViewsFor } from '../../words/database.ts';
import { databaseDiscards, isPutBack } from '../../words/databaseDiscard.ts';
import { DatabaseHead } from './head.tsx';
import { DatabaseOverview } from './overview.tsx';
import { type DatabaseReading, useDatabase } from './reading.ts';

/** Views that bring more code than the page itself. */
const Connection = lazyPart(async () => (await import('../../parts/connection.tsx')).ConnectionCard);
const Backups = lazyPart(async () => (await import('./backups.tsx')).DatabaseBackups);
const Logical = lazyPart(async () => (await import('./logical.tsx')).LogicalOnServer);
const Sql = lazyPart(async () => (await import('./sql.tsx')).Sql);
const Metrics = lazyPart(async () => (await import('../../parts/usage/usageCharts.tsx')).UsageCharts);
const Lifecycle = lazyPart(async () => (await import('../../parts/lifecycle.tsx')).Lifecycle);
const DatabaseSettings = lazyPart(async () => (await import('./settings.tsx')).DatabaseSettings);

interface DatabasePageProps extends Place {
  readonly name: string;
  readonly view: string;
}

/** One database: what it is, why, and until when; what waits for a deploy; and its views. A shared server has no project. */
export function DatabasePage({ name, view, ...place }: DatabasePageProps) {
  const reading = useDatabase(name);
  const current = databaseViewOf(view);
  return (
    <ResourcePage
      {...place}
      name={name}
      view={view}
      current={current}
      views={databaseViewsFor(reading.database.value, { isAdmin: isAdmin() })}
      loaded={reading.database}
      reload={reading.reload}
      machine="database"
      id={`coredatabases:${name}`}
      addressOf={addressOf.database}
      head={<DatabaseHead reading={reading} />}
      changes={<Changes reading={reading} />}
    >
      {(read) => <View key={current} view={current} read={read} reading={reading} />}
    </ResourcePage>
  );
}

interface ViewProps {
  readonly view: DatabaseView;
  readonly read: Read;
  readonly reading: DatabaseReading;
}

function View({ view, read, reading }: ViewProps) {
  const { name } = reading;
  switch (view) {
    case '':
      return <DatabaseOverview read={read} />;
    case 'connection':
      return <Connection read={read} path={api.ofDatabase(name, 'connection')} />;
    case 'backups':
      return <Backups read={read} explanations={reading.explained.value?.items ?? []} />;
    case 'logical':
      return <Logical read={read} />;
    case 'sql':
      return <Sql read={read} />;
    case 'metrics':
      return <Metrics path={api.ofDatabase(name, 'metrics')} />;
    case 'lifecycle':
      return (
        <Lifecycle
          id={`coredatabases:${name}`}
          name={name}
          what="databases"
          path={api.ofDatabase(name, 'transitions')}
          explained={reading.explained}
        />
      );
    case 'settings':
      return <DatabaseSettings read={read} onSaved={reading.reload} />;
  }
}

const Changes = ({ reading: { name, database, changes, reload } }: { readonly reading: DatabaseReading }) => (
  <ChangesBar
    changes={changes.value?.items ?? []}
    isDraft={database.value?.resource.state === 'draft'}
    deploy={() => act<Deployed>(api.ofDatabase(name, 'deploy'))}
    isDiscardable={isPutBack}
    discardsOf={(items) => databaseDiscards(name, items)}
    onDone={reload}
  />
);
