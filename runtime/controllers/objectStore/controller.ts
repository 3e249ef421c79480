import { Effect } from 'effect';
import type { CoreObjectStore } from '../../../crds/coreObjectStore.ts';
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
import { cloudConnections, clusters, objectStores, projects } from '../../kinds.ts';
import { type AnyLifecycle, type Controller, controller, type Deriving, watching } from '../../lifecycle.ts';
import { secrets } from '../../resources.ts';
import { grantedBuckets } from '../cloud/buckets.ts';
import { standingGrant } from '../cloud/grant.ts';
import { draftDeployOf, gateIn } from '../draftDeploy.ts';
import { gaveUpOf, isRetried } from '../provisioning.ts';
import { provisionRetryOf } from '../provisionRetry.ts';
import type { Parts } from './broughtAbout.ts';
import { storePieces } from './pieces.ts';
import { storePhase, storeProvisioned } from './provisioned.ts';
import { storeSeen } from './seen.ts';
import { grantAsked, runningOf, settling } from './spec.ts';

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
        concerns: ({ metadata }, reader) => namesWhere(reader, ({ spec }) => spec.project === metadata.name),
      }),
      watching({
        resource: cloudConnections,
        concerns: ({ metadata }, reader) =>
          namesWhere(reader, ({ spec }) => spec.connectionRef?.name === metadata.name),
      }),
      watching({
        resource: objectStores,
        concerns: ({ metadata, spec }, reader) => [
          ...namesWhere(reader, (one) => one.spec.serverRef?.name === metadata.name),
          ...(spec.serverRef ? [spec.serverRef.name] : []),
        ],
      }),
      watching({ resource: clusters, concerns: () => [] }),
      watching({
        resource: secrets,
        concerns: ({ metadata }, reader) => namesWhere(reader, (store) => readsSecret(store, metadata.name, reader)),
      }),
    ],
    derive: (store, deriving) => derive(store, deriving, parts),
    ensures: { settled: pieces.settled },
    finalizer: { name: key('object-store') },
    absent: pieces.sweep,
    adopt: settling,
  });
}

const namesWhere = (reader: CacheReader, holdsFor: (store: CoreObjectStore) => boolean): readonly string[] =>
  reader
    .list(objectStores)
    .filter(holdsFor)
    .map(({ metadata }) => metadata.name);

/** Whether a Secret is the one with the key of a bucket, or of the account that the bucket is in. */
function readsSecret(store: CoreObjectStore, secret: string, reader: CacheReader): boolean {
  if (store.spec.mode === 'Server') return false;
  const asked = grantAsked(store, store.spec, reader);
  if (!('why' in asked) && asked.secret === secret) return true;
  const connection = reader.get(cloudConnections, store.spec.connectionRef?.name ?? '');
  return connection?.spec.secretRef.name === secret;
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
