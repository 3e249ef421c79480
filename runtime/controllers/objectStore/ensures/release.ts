import { Effect } from 'effect';
import { eachOf } from '../../../contract/eachOf.ts';
import type { CoreObjectStore } from '../../../../crds/coreObjectStore.ts';
import { annotation } from '../../../../crds/names.ts';
import type { CloudAccount } from '../../../../rules/cloud/account.ts';
import { hasOwnBucket, keysSecretName, rootSecretName } from '../../../../rules/objectStore/names.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { byBucketServer } from '../../../services/cluster/indexes.ts';
import { objectStores } from '../../../services/cluster/kinds.ts';
import { done, type Ensure, type Ensured, type EnsureError, type Ensuring, holds } from '../../../contract/ensure.ts';
import type { Outside } from '../../../services/outside.ts';
import { secrets } from '../../../services/cluster/resources.ts';
import { Cloud, CloudFailed, isRefusal } from '../../../services/cloud.ts';
import { asSeen, Cluster } from '../../../services/cluster/cluster.ts';
import { readSecret } from '../../../services/secret.ts';
import type { GrantRequest } from '../../cloudAccess/grant.ts';
import { type Memory, noFindings, uidOf } from '../observe.ts';
import { grantRequest } from '../observe/spec.ts';
import { namesBy } from '../../../cache/names.ts';

const requeueAfterMs = 30_000;
const waits: Ensured = { is: 'waits', afterMs: requeueAfterMs };

/** The buckets on a server, which are deleted with it. */
export const bucketsOn = ({ metadata, spec: { mode } }: CoreObjectStore, reader: CacheReader): readonly string[] =>
  mode === 'Server' ? namesBy(reader, objectStores, byBucketServer, metadata.name) : [];

/**
 * Deletes what belongs to an object store. A bucket that Core named is emptied and deleted with its user; any other is
 * unchanged. A server waits for the buckets on it.
 */
export const nothingLeft = ({ ownedResources, findings }: Memory): Ensure<CoreObjectStore> => ({
  schedule: { firstMs: 5_000, maxMs: 60_000 },
  run: (given) =>
    Effect.gen(function* () {
      if (findings.get(uidOf(given.object))?.gone === true) return holds;
      const removed = yield* remove(given, ownedResources);
      if (removed.is !== 'holds') return removed;
      findings.set(uidOf(given.object), { ...noFindings, gone: true });
      return done;
    }),
});

const remove = Effect.fnUntraced(function* (
  given: Ensuring<CoreObjectStore>,
  ownedResources: Memory['ownedResources'],
): Effect.fn.Return<Ensured, EnsureError, Outside> {
  const { object: store, reader } = given;
  if (bucketsOn(store, reader).length > 0) return waits;
  if (store.spec.mode === 'Bucket' && (yield* unlessNeverMade(store, bucketRemains(store, reader)))) return done;
  const gone = yield* ownedResources.deleteAll.run(given);
  if (gone.is !== 'holds') return gone;
  const names = [keysSecretName(store.metadata.name), rootSecretName(store.metadata.name)];
  yield* eachOf(names, (name) => removeSecret(store, name));
  const none = yield* ownedResources.confirmDeleted.run(given);
  return none.is === 'waits' ? waits : none;
});

/**
 * Without an issued key, a refusing cloud has nothing to delete. An unreachable server holds no data of it either, and
 * would wait for this bucket. The status counts, too, because the Secret may have been deleted manually.
 */
const unlessNeverMade = Effect.fnUntraced(function* (
  { metadata, spec: { serverRef }, status }: CoreObjectStore,
  removing: Effect.Effect<boolean, CloudFailed, Cloud>,
) {
  const wasMade = (status?.bucket ?? '') !== '' || (yield* readSecret(keysSecretName(metadata.name)));
  if (wasMade) return yield* removing;
  return yield* removing.pipe(
    Effect.catchIf(
      (failed) => serverRef !== undefined || isRefusal(failed),
      () => Effect.succeed(false),
    ),
  );
});

/** Empties one page of the bucket, or deletes the empty bucket; returns whether anything was left. */
const bucketRemains = Effect.fnUntraced(function* (
  store: CoreObjectStore,
  reader: CacheReader,
): Effect.fn.Return<boolean, CloudFailed, Cloud> {
  // Without its account the bucket is unreachable, and the object would never be released.
  const asked = grantRequest(store, store.spec, reader);
  if ('why' in asked) return false;
  const cloud = yield* Cloud;
  const { account, bucket, user } = asked;
  if (hasOwnBucket(store.spec)) {
    const emptied = yield* emptyPage(asked).pipe(
      Effect.catchIf(
        ({ code }) => code === 'NoSuchBucket',
        () => Effect.succeed(true),
      ),
    );
    if (!emptied) return true;
    yield* cloud.removeBucket(account, bucket);
  }
  if (account.iam !== null) yield* cloud.removeUser(account, user);
  return false;
});

/** Deletes one page; returns whether nothing was left. */
const emptyPage = Effect.fnUntraced(function* ({
  account,
  bucket,
}: Pick<GrantRequest, 'bucket'> & { account: CloudAccount }) {
  const cloud = yield* Cloud;
  const versions = yield* cloud.versions(account, bucket, { prefix: '', from: null });
  const [refused] = versions.items.length > 0 ? yield* cloud.removeVersions(account, bucket, versions.items) : [];
  // The remaining objects keep the bucket; the next check is not immediate.
  if (refused)
    return yield* new CloudFailed({ code: refused.code, status: 403, message: `${refused.code}: ${refused.text}` });
  const uploads = yield* cloud.uploads(account, bucket, { prefix: '', from: null });
  yield* eachOf(uploads.items, (upload) => cloud.abortUpload(account, bucket, upload));
  return versions.items.length === 0 && uploads.items.length === 0;
});

/** Deletes a Secret only if it was created for this object. */
const removeSecret = Effect.fnUntraced(function* ({ metadata }: CoreObjectStore, name: string) {
  const found = yield* readSecret(name);
  if (!found) return;
  const of = found.metadata.annotations?.[annotation.ownerUid];
  if (of !== undefined && of !== metadata.uid) return;
  if (found.metadata.annotations?.[annotation.keyIssuedAt] === undefined && of === undefined) return;
  const cluster = yield* Cluster;
  yield* cluster.remove(secrets, { name }, asSeen(found));
});
