import { useEffect } from 'preact/hooks';
import type { Deployed, Read } from '../../../api.ts';
import { act, api } from '../../api.ts';
import { ChangesBar } from '../../parts/changesBar.tsx';
import { Frame } from '../../parts/frame.tsx';
import { Gone } from '../../parts/gone.tsx';
import { lazyPart } from '../../parts/lazy.tsx';
import { Failed, Skeleton } from '../../parts/note.tsx';
import { isGone } from '../../parts/resourceHead.tsx';
import { go } from '../../router.ts';
import { addressOf, type Place } from '../../routes.ts';
import { isAdmin } from '../../store/session.ts';
import { type DatabaseView, databaseViewOf, databaseViewsFor } from '../../words/database.ts';
import { databaseDiscards, isPutBack } from '../../words/databaseDiscard.ts';
import { DatabaseHead } from './head.tsx';
import { DatabaseOverview } from './overview.tsx';
import { type DatabaseReading, ofDatabase, useDatabase } from './reading.ts';

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
export function DatabasePage({ project, environment, name, view }: DatabasePageProps) {
  const reading = useDatabase(name);
  const { value, failed, readAt } = reading.database;
  const place = { project, environment };
  const isElsewhere =
    value !== null && (value.resource.project !== project || value.resource.environment !== environment);
  useEffect(() => {
    if (value && isElsewhere) go(addressOf.database({ ...value.resource, name }, view), 'replace');
  }, [isElsewhere]);
  const current = databaseViewOf(view);
  const gone = isGone(failed);
  return (
    <Frame title={value?.resource.displayName ?? name} {...(project === '' ? {} : { place })}>
      <div class="stack">
        <DatabaseHead reading={reading} />
        {gone ? (
          <Gone machine="database" id={`coredatabases:${name}`} error={failed?.error ?? ''} />
        ) : (
          <Failed failed={failed} readAt={readAt} retry={reading.reload} />
        )}
        {!gone && value && <Changes reading={reading} />}
        <nav class="tabs" aria-label="Views">
          {databaseViewsFor(value, { isAdmin: isAdmin() }).map(([own, word]) => (
            <a
              key={own}
              href={addressOf.database({ ...place, name }, own)}
              aria-current={own === current ? 'page' : undefined}
            >
              {word}
            </a>
          ))}
        </nav>
        {value && <View key={current} view={current} read={value} reading={reading} />}
        {value === null && failed === null && <Skeleton height={480} />}
      </div>
    </Frame>
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
          concerns={ofDatabase(name)}
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
