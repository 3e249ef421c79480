import { Effect } from 'effect';
import type { CoreObjectStore } from '../../../crds/coreObjectStore.ts';
import type { CoreProject } from '../../../crds/coreProject.ts';
import { key } from '../../../crds/names.ts';
import { withCondition } from '../../../rules/condition.ts';
import { revisionOf } from '../../../rules/draftDeploy/stored.ts';
import { known } from '../../../rules/fact.ts';
import { objectStoreHindrance } from '../../../rules/objectStore/hindrance.ts';
import { bucketOf, serverAddresses } from '../../../rules/objectStore/names.ts';
import { objectStoreImage } from '../../../rules/objectStore/objects.ts';
import { objectStoreOutcome, objectStoreReady } from '../../../rules/objectStore/ready.ts';
import { readOut } from '../../../rules/verdict.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { cloudConnections, clusters, objectStores, projects } from '../../services/cluster/kinds.ts';
import { byBucketServer, byCloud, byKeys, byOwnKeys, byProject } from '../../services/cluster/indexes.ts';
import { dataOf, exceptHistory, settingsOf, specRead } from '../../contract/reads.ts';
import type { AnyLifecycle } from '../../contract/lifecycle.ts';
import { secrets } from '../../services/cluster/resources.ts';
import { grantedBuckets } from '../cloudAccess/buckets.ts';
import { standingGrant } from '../cloudAccess/grant.ts';
import { draftDeployOf, gateIn } from '../provisioned/draftDeploy.ts';
import { gaveUpOf, isRetried } from '../provisioned/provisioning.ts';
import { provisionRetryOf } from '../provisioned/retry.ts';
import type { Parts } from './ensures.ts';
import { storePieces } from './owned.ts';
import { storePhase, storeProvisioned } from './lifecycle.ts';
import { storeSeen } from './observe.ts';
import { grantAsked, runningOf, settling } from './observe/spec.ts';
import { cachedOnly, type Controller, controller, type Deriving, watching } from '../../contract/controller.ts';
import { namesBy, namesByEach } from '../../cache/names.ts';

/** CoreObjectStore: drafts, deploys and brings about a bucket, or the cluster's server of buckets. */
export function objectStoreController(image: string = objectStoreImage): Controller {
  const pieces = storePieces(image);
  const parts: Parts = { pieces, buckets: grantedBuckets(), found: new Map() };
  return controller<CoreObjectStore>({
    resource: objectStores,
    lifecycles: [
      draftDeployOf<CoreObjectStore>({ kind: 'bucket', room: () => known({ is: 'enough' }) }),
      retriesOf(parts),
      storeProvisioned(parts),
    ],
    watches: [
      ...pieces.watches,
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
      cachedOnly(clusters),
      watching({
        resource: secrets,
        reads: dataOf,
        concerns: ({ metadata }, reader) => [
          ...namesBy(reader, objectStores, byKeys, metadata.name),
          ...namesByEach(reader, objectStores, byCloud, namesBy(reader, cloudConnections, byOwnKeys, metadata.name)),
        ],
      }),
    ],
    derive: (store, deriving) => derive(store, deriving, parts),
    ensures: { settled: pieces.settled },
    finalizer: { name: key('object-store') },
    absent: pieces.sweep,
    adopt: settling,
  });
}

const retriesOf = (parts: Parts): AnyLifecycle =>
  provisionRetryOf<CoreObjectStore>({
    rowOf: 'anyKind',
    outcome: (store, reader, moment) =>
      known(objectStoreOutcome(storeSeen(store, { reader, ...parts }, gateIn(moment)))),
    ask: (store, reader) => Effect.succeed(known(objectStoreOutcome(storeSeen(store, { reader, ...parts })))),
    deploys: {
      isNew: (store) => revisionOf(store) !== (store.status?.deployRevision ?? ''),
      takeUp: (store) => ({ deployRevision: revisionOf(store) }),
    },
  });

function derive(store: CoreObjectStore, { reader, now, failures }: Deriving, parts: Parts) {
  const seen = storeSeen(store, { reader, ...parts });
  const verdict = readOut('Ready', objectStoreReady, {
    ...seen,
    leaving: storePhase(store) === 'Deleting' ? ('deletion' as const) : null,
    unremoved: failures.get('nothingLeft')?.why ?? '',
    retrying: isRetried(store),
    gaveUp: gaveUpOf(store, () => objectStoreHindrance(seen)?.message(seen)),
  });
  return { ...addressOf(store, reader), conditions: withCondition(store, verdict, now) };
}

/** Where the bucket is and which Secret opens it, once both are known; what was known before stays. */
function addressOf(store: CoreObjectStore, reader: CacheReader) {
  const spec = runningOf(store);
  if (spec === null) return {};
  if (spec.mode === 'Server') return { endpoint: serverAddresses(store.metadata.name).endpoint };
  const asked = grantAsked(store, spec, reader);
  if ('why' in asked || standingGrant(asked, reader) === null) return {};
  return { bucket: bucketOf(store, spec), endpoint: asked.account.endpoint, credentialSecret: asked.secret };
}
