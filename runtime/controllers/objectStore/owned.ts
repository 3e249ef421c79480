import type { CoreObjectStore } from '../../../crds/coreObjectStore.ts';
import { annotation, systemNamespace } from '../../../crds/names.ts';
import { placementOf } from '../../../rules/database/nodePlacement.ts';
import { bucketSecret, serverObjects } from '../../../rules/objectStore/objects.ts';
import { bucketOf } from '../../../rules/objectStore/names.ts';
import { isTemplated, withLogsOnError } from '../../../rules/owned/logsOnError.ts';
import type { Fixed } from '../../../rules/owned/ownedObject.ts';
import { namespaceOf } from '../../../rules/project/environment.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { objectStores } from '../../services/cluster/kinds.ts';
import { makeOwned, owned, type Owned, type OwnedObject } from '../../owned/owned.ts';
import type { Resource } from '../../services/cluster/cluster.ts';
import { isDeleting } from '../../../rules/deleting.ts';
import { currentGrant } from '../cloudAccess/grant.ts';
import { grantRequest, placementOfServer, runningOf } from './observe/spec.ts';

const built: Readonly<Record<string, { readonly resource: Resource; readonly fixed: readonly Fixed[] }>> = {
  PersistentVolumeClaim: {
    resource: owned.claims,
    fixed: [
      { path: ['spec', 'resources', 'requests', 'storage'], then: 'grow' },
      { path: ['spec', 'storageClassName'], then: 'keep' },
      { path: ['spec', 'accessModes'], then: 'keep' },
    ],
  },
  Service: { resource: owned.services, fixed: [] },
  Deployment: { resource: owned.deployments, fixed: [{ path: ['spec', 'selector'], then: 'replace' }] },
};

const liveOf = ({ metadata }: CoreObjectStore, reader: CacheReader) =>
  reader.get(owned.deployments, metadata.name, systemNamespace);

/** The Secret of the environment, once the bucket has a key; none without a key. */
function ofBucket(store: CoreObjectStore, reader: CacheReader): readonly OwnedObject[] {
  const spec = runningOf(store);
  if (spec === null) return [];
  const asked = grantRequest(store, spec, reader);
  const grant = 'why' in asked ? null : currentGrant(asked, reader);
  if ('why' in asked || grant === null) return [];
  const object = bucketSecret(store, namespaceOf(spec.project ?? '', spec.environment ?? ''), {
    endpoint: asked.account.endpoint,
    region: grant.region,
    bucket: bucketOf(store, spec),
    ...grant.key,
  });
  return [{ resource: owned.secrets, object, whole: [['data']] }];
}

function ofServer(store: CoreObjectStore, reader: CacheReader, image: string): readonly OwnedObject[] {
  const spec = runningOf(store);
  const settled = {
    image,
    placement: placementOf(placementOfServer(store, reader)),
    storageClass: store.metadata.annotations?.[annotation.storageClass] ?? '',
  };
  return serverObjects(store, spec ?? store.spec, settled, spec === null ? 0 : 1).flatMap(
    (object): readonly OwnedObject[] => {
      const one = built[object.kind ?? ''];
      return one
        ? [{ object: isTemplated(object) ? withLogsOnError(object, liveOf(store, reader)) : object, ...one }]
        : [];
    },
  );
}

/** Keeps a Secret while its key is still being read. */
const leaves = (store: CoreObjectStore): boolean => !isDeleting(store) && store.spec.mode === 'Bucket';

/** The owned objects of an object store. A server that was never deployed has none. */
export const objectStoreResources = (image: string): Owned<CoreObjectStore> =>
  makeOwned<CoreObjectStore>({
    owners: objectStores,
    resources: [owned.deployments, owned.services, owned.claims, owned.secrets],
    desired: (store, reader) => {
      if (isDeleting(store)) return [];
      if (store.spec.mode === 'Bucket') return ofBucket(store, reader);
      const isNew = runningOf(store) === null && store.status?.provision === undefined;
      return isNew ? [] : ofServer(store, reader, image);
    },
    leaves,
  });
