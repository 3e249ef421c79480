import type { Deployed, Read } from '../../../api.ts';
import { act, api } from '../../api.ts';
import type { Asked } from '../../parts/actionButton.tsx';
import { ChangesBar } from '../../parts/changesBar.tsx';
import { lazyPart } from '../../parts/lazy.tsx';
import { ResourceHead } from '../../parts/resourceHead.tsx';
import { ResourcePage } from '../../parts/resourcePage.tsx';
import { addressOf, type Place } from '../../routes.ts';
import { isAdmin } from '../../store/session.ts';
import { bucketShape } from '../../words/connection.ts';
import { discardsAt, isPutBack } from '../../words/databaseDiscard.ts';
import { type BucketView, bucketViewOf, bucketViewsFor, objectStoreMachine } from '../../words/objectStore.ts';
import { waits } from '../../words/project.ts';
import { resourceStanding } from '../../words/resource.ts';
import { BucketOverview } from './overview.tsx';
import { type ObjectStoreReading, useObjectStore } from './reading.ts';

const Connection = lazyPart(async () => (await import('../../parts/connection.tsx')).ConnectionCard);
const Lifecycle = lazyPart(async () => (await import('../../parts/lifecycle.tsx')).Lifecycle);
const BucketSettings = lazyPart(async () => (await import('./settings.tsx')).BucketSettings);

interface BucketPageProps extends Place {
  readonly name: string;
  readonly view: string;
}

/** One bucket, or a server of buckets, which has no project: what it is, why, how to connect, and what waits. */
export function BucketPage({ name, view, ...place }: BucketPageProps) {
  const reading = useObjectStore(name);
  const { store, explained, reload } = reading;
  const current = bucketViewOf(view);
  const explanations = explained.value?.items ?? [];
  return (
    <ResourcePage
      {...place}
      name={name}
      view={view}
      current={current}
      views={bucketViewsFor(store.value, { isAdmin: isAdmin() })}
      loaded={store}
      reload={reload}
      machine={objectStoreMachine}
      id={`coreobjectstores:${name}`}
      addressOf={addressOf.bucket}
      head={
        <ResourceHead
          name={name}
          loaded={store}
          explanations={explanations}
          machine={objectStoreMachine}
          standingOf={(read) => resourceStanding(read, objectStoreMachine, explanations)}
          actionsOf={actionsOf}
          onDone={reload}
        />
      }
      changes={<Changes reading={reading} />}
    >
      {(read) => <View key={current} view={current} read={read} reading={reading} />}
    </ResourcePage>
  );
}

interface ViewProps {
  readonly view: BucketView;
  readonly read: Read;
  readonly reading: ObjectStoreReading;
}

function View({ view, read, reading }: ViewProps) {
  const { name } = reading;
  switch (view) {
    case '':
      return <BucketOverview read={read} />;
    case 'connection':
      return <Connection read={read} path={api.ofObjectStore(name, 'connection')} shape={bucketShape} />;
    case 'lifecycle':
      return (
        <Lifecycle
          id={`coreobjectstores:${name}`}
          name={name}
          what="object stores"
          path={api.ofObjectStore(name, 'transitions')}
          explained={reading.explained}
        />
      );
    case 'settings':
      return <BucketSettings read={read} onSaved={reading.reload} />;
  }
}

const Changes = ({ reading: { name, store, changes, reload } }: { readonly reading: ObjectStoreReading }) => (
  <ChangesBar
    changes={changes.value?.items ?? []}
    isDraft={store.value?.resource.state === 'draft'}
    deploy={() => act<Deployed>(api.ofObjectStore(name, 'deploy'))}
    isDiscardable={isPutBack}
    discardsOf={(items) => discardsAt(api.objectStore(name), items)}
    onDone={reload}
  />
);

/** While changes wait, their bar deploys them; what has not given up has nothing to retry. */
const actionsOf = ({ resource }: Read): readonly Asked[] => [
  ...(resource.state === 'failed' ? [{ word: 'Retry', path: api.ofObjectStore(resource.name, 'retry') }] : []),
  ...(waits(resource) || resource.state === 'deleting'
    ? []
    : [{ word: 'Redeploy', path: api.ofObjectStore(resource.name, 'deploy') }]),
];
