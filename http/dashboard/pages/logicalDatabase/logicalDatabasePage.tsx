import type { Read } from '../../../api.ts';
import { api } from '../../api.ts';
import { ofObject } from '../../kindPages/service/concerns.ts';
import { ResourceHead } from '../../components/resource/head.tsx';
import { Connection, Lifecycle } from '../../components/resource/lazyViews.ts';
import { type NamedPlace, ResourcePage } from '../../components/resource/page.tsx';
import { type ResourceReading, useResource } from '../../components/resource/reading.ts';
import { addressOf } from '../../routes.ts';
import { isAdmin } from '../../store/session.ts';
import { logicalMachine, type LogicalView, logicalViewOf, logicalViewsFor } from './model.ts';
import { LogicalOverview } from './overview.tsx';

/** One logical database: what it is, on which server, why it waits, and how to connect. */
export function LogicalDatabasePage({ name, view, ...place }: NamedPlace) {
  const reading = useResource({
    name,
    machine: logicalMachine,
    id: `corelogicaldatabases:${name}`,
    path: api.logicalDatabase(name),
    pathOf: (what) => api.ofLogicalDatabase(name, what),
    isDeployed: false,
    concerns: ofObject('CoreLogicalDatabase', name),
  });
  const current = logicalViewOf(view);
  return (
    <ResourcePage
      {...place}
      reading={reading}
      view={view}
      current={current}
      views={logicalViewsFor(isAdmin())}
      addressOf={addressOf.logicalDatabase}
      head={<ResourceHead reading={reading} />}
    >
      {(read) => <View view={current} read={read} reading={reading} />}
    </ResourcePage>
  );
}

interface ViewProps {
  readonly view: LogicalView;
  readonly read: Read;
  readonly reading: ResourceReading;
}

function View({ view, read, reading }: ViewProps) {
  const { name } = read.resource;
  switch (view) {
    case '':
      return <LogicalOverview read={read} />;
    case 'connection':
      return <Connection read={read} path={api.ofLogicalDatabase(name, 'connection')} />;
    case 'lifecycle':
      return <Lifecycle reading={reading} what="logical databases" />;
  }
}
