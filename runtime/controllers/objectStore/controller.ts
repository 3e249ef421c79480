import { Effect } from 'effect';
import type { CoreObjectStore } from '../../../crds/coreObjectStore.ts';
import { key } from '../../../crds/names.ts';
import { hashOf } from '../../../rules/canonical.ts';
import { withCondition } from '../../../rules/condition.ts';
import { revisionOf } from '../../../rules/draftDeploy/stored.ts';
import { known } from '../../../rules/fact.ts';
import { isObjectStoreBlocked, objectStoreHindrance } from '../../../rules/objectStore/hindrance.ts';
import { bucketOf, serverAddresses } from '../../../rules/objectStore/names.ts';
import { objectStoreOutcome, objectStoreReady } from '../../../rules/objectStore/ready.ts';
import { readOut } from '../../../rules/verdict.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { cloudConnections, clusters, objectStores, projects } from '../../kinds.ts';
import {
  type Controller,
  controller,
  type Deriving,
  done,
  type Ensured,
  type EnsureError,
  type Ensuring,
  holds,
  watching,
} from '../../lifecycle.ts';
import type { Outside } from '../../outside.ts';
import { secrets } from '../../resources.ts';
import { why } from '../../services/why.ts';
import { grantedBuckets, type GrantedBuckets } from '../cloud/buckets.ts';
import { standingGrant } from '../cloud/grant.ts';
import { draftDeployOf } from '../draftDeploy.ts';
import { gaveUpOf } from '../provisioning.ts';
import { provisionRetryOf } from '../provisionRetry.ts';
import { storePieces } from './pieces.ts';
import { release } from './release.ts';
import { settledRoot } from './root.ts';
import { type Around, type Found, storeSeen, uidOf } from './seen.ts';
import { grantAsked, runningOf, settling } from './spec.ts';

/** What serves object stores in the cluster. */
export const objectStoreImage = 'docker.io/chrislusf/seaweedfs:3.97';

const soonMs = 5_000;
const againMs = 30_000;

/** CoreObjectStore: drafts, deploys and brings about a bucket, or the cluster's server of buckets. */
export function objectStoreController(image: string = objectStoreImage): Controller {
  const pieces = storePieces(image);
  const buckets = grantedBuckets();
  const memory = new Map<string, Found>();
  const around = (reader: CacheReader): Around => ({ reader, pieces, memory });
  return controller<CoreObjectStore>({
    resource: objectStores,
    lifecycles: [
      draftDeployOf<CoreObjectStore>({ kind: 'bucket', room: () => known({ is: 'enough' }) }),
      provisionRetryOf<CoreObjectStore>({
        rowOf: 'anyKind',
        outcome: (store, reader) => known(objectStoreOutcome(storeSeen(store, around(reader)))),
        ask: (store, reader) => Effect.succeed(known(objectStoreOutcome(storeSeen(store, around(reader))))),
        deploys: {
          isNew: (store) => revisionOf(store) !== (store.status?.deployRevision ?? ''),
          takeUp: (store) => ({ deployRevision: revisionOf(store) }),
        },
      }),
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
    derive: (store, deriving) => derive(store, deriving, around(deriving.reader)),
    ensures: {
      broughtAbout: {
        retry: { firstMs: 5_000, mostMs: 120_000 },
        run: (given) => broughtAbout(given, { pieces, buckets, memory }),
      },
      settled: pieces.settled,
    },
    finalizer: { name: key('object-store'), release: release(pieces) },
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

function derive(store: CoreObjectStore, { reader, now }: Deriving, around: Around) {
  const seen = storeSeen(store, around);
  const verdict = readOut('Ready', objectStoreReady, {
    ...seen,
    retrying: false,
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

interface Parts {
  readonly pieces: Around['pieces'];
  readonly buckets: GrantedBuckets;
  readonly memory: Map<string, Found>;
}

/** Brings about what the running spec asks for, unless something stands in the way or it was given up. */
const broughtAbout = Effect.fnUntraced(function* (
  given: Ensuring<CoreObjectStore>,
  { pieces, buckets, memory }: Parts,
): Effect.fn.Return<Ensured, EnsureError, Outside> {
  const { object: store, reader } = given;
  const seen = storeSeen(store, { reader, pieces, memory });
  if (store.status?.reconcileRetry?.gaveUp === true || isObjectStoreBlocked(seen)) return holds;
  const before = memory.get(uidOf(store));
  const found = yield* outside(given, buckets).pipe(
    Effect.map((bucket): Found => ({ bucket, failure: null })),
    Effect.catchTag('Refused', (refusal) =>
      Effect.succeed<Found>({ bucket: before?.bucket ?? null, failure: why(refusal) }),
    ),
  );
  memory.set(uidOf(store), found);
  const pieced = yield* pieces.ensure.run(given);
  if (hashOf(before ?? null) !== hashOf(found)) return done;
  if (pieced.is !== 'holds') return pieced;
  if (found.bucket?.is === 'waiting') return { is: 'waits', afterMs: soonMs };
  return found.bucket?.is === 'failing' || found.failure !== null ? { is: 'waits', afterMs: againMs } : holds;
});

/** What is not in the environment: the keys of a server, or the bucket with its user. */
const outside = Effect.fnUntraced(function* (
  { object: store, reader }: Ensuring<CoreObjectStore>,
  buckets: GrantedBuckets,
) {
  const spec = runningOf(store);
  if (spec === null) return null;
  if (spec.mode === 'Server') {
    yield* settledRoot(store);
    return null;
  }
  const asked = grantAsked(store, spec, reader);
  return 'why' in asked ? ({ is: 'failing', error: asked.why } as const) : yield* buckets.bring(asked, reader);
});
