import { lazyPart } from '../../components/lazy.tsx';
import { DataChanges } from '../../components/resource/lazyViews.ts';
import { type ResourceReading, useResource } from '../../components/resource/reading.ts';
import { bucketShape } from '../../model/connection.ts';
import { isServer } from '../../model/objectStore.ts';
import { BucketOverview } from '../../pages/bucket/overview.tsx';
import { deployActions } from '../resourceActions.ts';
import { type ResourceKind, resourcePage } from '../resourcePage.tsx';
import { connectionView, lifecycleView } from '../views.tsx';

const BucketSettings = lazyPart(async () => (await import('../../pages/bucket/settings.tsx')).BucketSettings);

/** A bucket, or a server of buckets, which has neither a project nor a connection. */
export const objectStore: ResourceKind<ResourceReading> = {
  kind: 'CoreObjectStore',
  use: (name) => useResource({ kind: 'CoreObjectStore', name, isDeployed: true }),
  actions: deployActions,
  changes: (reading) => <DataChanges reading={reading} />,
  views: [
    { name: '', label: 'Overview', show: (read) => <BucketOverview read={read} /> },
    {
      ...connectionView(bucketShape),
      isOffered: (read, isAdmin) => isAdmin && !(read && isServer(read.resource)),
    },
    lifecycleView('object stores'),
    {
      name: 'settings',
      label: 'Settings',
      show: (read, { reload }) => <BucketSettings read={read} onSaved={reload} />,
    },
  ],
};

export const BucketPage = resourcePage(objectStore);
