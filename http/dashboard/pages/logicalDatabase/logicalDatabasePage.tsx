import type { Explanation, Items, Read } from '../../../api.ts';
import { api } from '../../api.ts';
import { ofObject } from '../../kinds/service/concerns.ts';
import type { Asked } from '../../parts/actionButton.tsx';
import { lazyPart } from '../../parts/lazy.tsx';
import { ResourcePage } from '../../parts/resourcePage.tsx';
import { ResourceHead } from '../../parts/resourceHead.tsx';
import { addressOf, type Place } from '../../routes.ts';
import { type Reloading, useLoaded } from '../../store/loaded.ts';
import { isAdmin } from '../../store/session.ts';
import { logicalMachine, type LogicalView, logicalViewOf, logicalViewsFor } from '../../words/logicalDatabase.ts';
import { resourceStanding } from '../../words/resource.ts';
import { LogicalOverview } from './overview.tsx';

const Connection = lazyPart(async () => (await import('../../parts/connection.tsx')).ConnectionCard);
const Lifecycle = lazyPart(async () => (await import('../../parts/lifecycle.tsx')).Lifecycle);

interface LogicalDatabasePageProps extends Place {
  readonly name: string;
  readonly view: string;
}

/** One logical database: what it is, on which server, why it waits, and how to connect. */
export function LogicalDatabasePage({ name, view, ...place }: LogicalDatabasePageProps) {
  const concerns = ofLogical(name);
  const logical = useLoaded<Read>(api.logicalDatabase(name), concerns);
  const explained = useLoaded<Items<Explanation>>(api.ofLogicalDatabase(name, 'explain'), concerns);
  const reload = () => [logical, explained].forEach((one) => one.reload());
  const current = logicalViewOf(view);
  const explanations = explained.value?.items ?? [];
  return (
    <ResourcePage
      {...place}
      name={name}
      view={view}
      current={current}
      views={logicalViewsFor(isAdmin())}
      loaded={logical}
      reload={reload}
      machine={logicalMachine}
      id={`corelogicaldatabases:${name}`}
      addressOf={addressOf.logicalDatabase}
      head={
        <ResourceHead
          name={name}
          loaded={logical}
          explanations={explanations}
          machine={logicalMachine}
          standingOf={(read) => resourceStanding(read, logicalMachine, explanations)}
          actionsOf={actionsOf}
          onDone={reload}
        />
      }
    >
      {(read) => <View view={current} read={read} explained={explained} />}
    </ResourcePage>
  );
}

interface ViewProps {
  readonly view: LogicalView;
  readonly read: Read;
  readonly explained: Reloading<Items<Explanation>>;
}

function View({ view, read, explained }: ViewProps) {
  const { name } = read.resource;
  switch (view) {
    case '':
      return <LogicalOverview read={read} />;
    case 'connection':
      return <Connection read={read} path={api.ofLogicalDatabase(name, 'connection')} />;
    case 'lifecycle':
      return (
        <Lifecycle
          id={`corelogicaldatabases:${name}`}
          name={name}
          what="logical databases"
          path={api.ofLogicalDatabase(name, 'transitions')}
          explained={explained}
        />
      );
  }
}

const ofLogical = (name: string) => ofObject('CoreLogicalDatabase', name);

/** It applies as soon as it is written: there is nothing to deploy. */
const actionsOf = ({ resource }: Read): readonly Asked[] =>
  resource.state === 'failed' ? [{ word: 'Retry', path: api.ofLogicalDatabase(resource.name, 'retry') }] : [];
