import type { CoreObjectStore } from '../../../crds/coreObjectStore.ts';
import type { CoreProject } from '../../../crds/coreProject.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { key, label } from '../../../crds/names.ts';
import { bucketOf, serverAddresses } from '../../../rules/objectStore/names.ts';
import { objectStoreImage } from '../../../rules/objectStore/objects.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { cloudConnections, clusters, objectStores, projects } from '../../services/cluster/kinds.ts';
import { byBucketServer, byCloud, byKeys, byOwnKeys, byProject } from '../../services/cluster/indexes.ts';
import { dataOf, everyChange, exceptHistory, settingsOf, specRead } from '../../contract/reads.ts';
import { replicaSets } from '../../owned/addonKinds.ts';
import type { Resource } from '../../services/cluster/cluster.ts';
import { secrets } from '../../services/cluster/resources.ts';
import { workloadPods } from '../capacity.ts';
import { inProjectOf, namespaceDeletions } from '../hangingNamespaces.ts';
import { grantedBuckets } from '../cloudAccess/buckets.ts';
import { currentGrant } from '../cloudAccess/grant.ts';
import { deploy, objectStoreProvisioned } from './lifecycle.ts';
import { objectStoreResources } from './owned.ts';
import { grantRequest, runningOf, settling } from './observe/spec.ts';
import { cachedOnly, type Controller, controller, watching } from '../../contract/controller.ts';
import { namesBy, namesByEach } from '../../cache/names.ts';

/** CoreObjectStore: drafts, deploys and provisions a bucket, or the cluster's server of buckets. */
export function objectStoreController(image: string = objectStoreImage): Controller {
  const ownedResources = objectStoreResources(image);
  const { retry, lifecycle, ensures, readyOf } = objectStoreProvisioned({
    ownedResources,
    buckets: grantedBuckets(),
    findings: new Map(),
  });
  return controller<CoreObjectStore>({
    resource: objectStores,
    lifecycles: [deploy.draftDeploy, retry, lifecycle],
    watches: [
      ...ownedResources.watches,
      watching({
        resource: projects,
        reads: settingsOf<CoreProject>('clusterRef', 'environments', 'region', 'requiredTags'),
        concerns: ({ metadata }, reader) => namesBy(reader, objectStores, byProject, metadata.name),
      }),
      watching({
        resource: cloudConnections,
        reads: specRead,
        concerns: ({ metadata }, reader) => namesBy(reader, objectStores, byCloud, metadata.name),
      }),
      watching({
        resource: objectStores,
        reads: exceptHistory,
        concerns: ({ metadata, spec }, reader) => [
          ...namesBy(reader, objectStores, byBucketServer, metadata.name),
          ...(spec.serverRef ? [spec.serverRef.name] : []),
        ],
      }),
      namespaceDeletions(inProjectOf(objectStores)),
      cachedOnly(clusters),
      // They tell why a server does not run.
      ...[workloadPods, replicaSets].map((resource: Resource) =>
        watching({ resource, reads: everyChange, concerns: ({ metadata: { labels } }) => servedBy(labels) }),
      ),
      watching({
        resource: secrets,
        reads: dataOf,
        concerns: ({ metadata }, reader) => [
          ...namesBy(reader, objectStores, byKeys, metadata.name),
          ...namesByEach(reader, objectStores, byCloud, namesBy(reader, cloudConnections, byOwnKeys, metadata.name)),
        ],
      }),
    ],
    derive: (store, deriving) => ({
      ...addressOf(store, deriving.reader),
      conditions: readyOf(store, deriving).conditions,
    }),
    causes: (store, deriving) => readyOf(store, deriving).findings(),
    ensures,
    finalizer: { name: key('object-store') },
    onMissing: ownedResources.sweep,
    defaults: settling,
  });
}

const servedBy = (labels: KubeObject['metadata']['labels']): readonly string[] =>
  labels?.[label.kind] === 'CoreObjectStore' ? [labels[label.name] ?? ''] : [];

/** The address of the bucket and the Secret with its keys, once both are known; otherwise the earlier values. */
function addressOf(store: CoreObjectStore, reader: CacheReader) {
  const spec = runningOf(store);
  if (spec === null) return {};
  if (spec.mode === 'Server') return { endpoint: serverAddresses(store.metadata.name).endpoint };
  const asked = grantRequest(store, spec, reader);
  if ('why' in asked || currentGrant(asked, reader) === null) return {};
  return { bucket: bucketOf(store, spec), endpoint: asked.account.endpoint, credentialSecret: asked.secret };
}
