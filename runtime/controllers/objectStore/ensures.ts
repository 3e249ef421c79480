import { Effect } from 'effect';
import type { CoreObjectStore } from '../../../crds/coreObjectStore.ts';
import { hashOf } from '../../../rules/canonical.ts';
import { isObjectStoreBlocked } from '../../../rules/objectStore/blockers.ts';
import { done, type Ensure, type Ensured, type EnsureError, type Ensuring, holds } from '../../contract/ensure.ts';
import type { Outside } from '../../services/outside.ts';
import { errorMessage } from '../../../rules/errorMessage.ts';
import { type GrantedBuckets, checkEveryMs } from '../cloudAccess/buckets.ts';
import { settledRoot } from './owned/root.ts';
import { type BucketFindings, type Memory, observeObjectStore, uidOf } from './observe.ts';
import { grantRequest, runningOf } from './observe/spec.ts';

const soonMs = 5_000;
const retryAfterMs = 30_000;

/** The memory of the controller of object stores, and the means to create buckets. */
export interface Parts extends Memory {
  readonly buckets: GrantedBuckets;
}

/** Reconciles the running spec, unless something blocks it. */
export const reconciled = (parts: Parts): Ensure<CoreObjectStore> => ({
  schedule: { firstMs: 5_000, maxMs: 120_000 },
  run: (given) => reconcile(given, parts),
});

const reconcile = Effect.fnUntraced(function* (
  given: Ensuring<CoreObjectStore>,
  { ownedResources, buckets, findings }: Parts,
): Effect.fn.Return<Ensured, EnsureError, Outside> {
  const { object: store, reader } = given;
  if (isObjectStoreBlocked(observeObjectStore(store, { reader, ownedResources, findings }))) return holds;
  const before = findings.get(uidOf(store));
  const now = yield* outside(given, buckets).pipe(
    Effect.map((bucket): BucketFindings => ({ bucket, failure: null, gone: false })),
    Effect.catchTag('Refused', (refusal) =>
      Effect.succeed<BucketFindings>({
        bucket: before?.bucket ?? null,
        failure: { why: errorMessage(refusal) },
        gone: false,
      }),
    ),
  );
  findings.set(uidOf(store), now);
  const pieced = yield* ownedResources.ensure.run(given);
  if (hashOf(before ?? null) !== hashOf(now)) return done;
  if (pieced.is !== 'holds') return pieced;
  if (now.bucket?.is === 'waiting') return { is: 'waits', afterMs: soonMs };
  if (now.bucket?.is === 'failing' || now.failure !== null) return { is: 'waits', afterMs: retryAfterMs };
  return now.bucket === null ? holds : { is: 'waits', afterMs: checkEveryMs };
});

/** Reconciles what is outside the environment: the keys of a server, or the bucket with its user. */
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
  const asked = grantRequest(store, spec, reader);
  return 'why' in asked
    ? ({ is: 'failing', error: asked.why, by: 'account' } as const)
    : yield* buckets.reconcile(asked, reader);
});
