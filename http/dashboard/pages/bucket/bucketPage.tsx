import type { Read } from '../../../api.ts';
import { api } from '../../api.ts';
import { lazyPart } from '../../components/lazy.tsx';
import { ResourceHead } from '../../components/resource/head.tsx';
import { Connection, DataChanges, Lifecycle } from '../../components/resource/lazyViews.ts';
import { type NamedPlace, ResourcePage } from '../../components/resource/page.tsx';
import type { ResourceReading } from '../../components/resource/reading.ts';
import { addressOf } from '../../routes.ts';
import { isAdmin } from '../../store/session.ts';
import { bucketShape } from '../../model/connection.ts';
import { type BucketView, bucketViewOf, bucketViewsFor } from '../../model/objectStore.ts';
import { BucketOverview } from './overview.tsx';
import { useObjectStore } from './reading.ts';

const BucketSettings = lazyPart(async () => (await import('./settings.tsx')).BucketSettings);

/** One bucket, or a server of buckets, which has no project: what it is, why, how to connect, and what waits. */
export function BucketPage({ name, view, ...place }: NamedPlace) {
  const reading = useObjectStore(name);
  const current = bucketViewOf(view);
  return (
    <ResourcePage
      {...place}
      reading={reading}
      view={view}
      current={current}
      views={bucketViewsFor(reading.resource.value, { isAdmin: isAdmin() })}
      addressOf={addressOf.bucket}
      head={<ResourceHead reading={reading} />}
      changes={<DataChanges reading={reading} />}
    >
      {(read) => <View key={current} view={current} read={read} reading={reading} />}
    </ResourcePage>
  );
}

interface ViewProps {
  readonly view: BucketView;
  readonly read: Read;
  readonly reading: ResourceReading;
}

function View({ view, read, reading }: ViewProps) {
  const { name } = reading;
  switch (view) {
    case '':
      return <BucketOverview read={read} />;
    case 'connection':
      return <Connection read={read} path={api.ofObjectStore(name, 'connection')} shape={bucketShape} />;
    case 'lifecycle':
      return <Lifecycle reading={reading} what="object stores" />;
    case 'settings':
      return <BucketSettings read={read} onSaved={reading.reload} />;
  }
}
