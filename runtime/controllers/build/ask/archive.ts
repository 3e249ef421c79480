import { Effect } from 'effect';
import type { CoreBuild } from '../../../../crds/coreBuild.ts';
import { isReady } from '../../../../rules/condition.ts';
import { objectStores } from '../../../services/cluster/kinds.ts';
import { secrets } from '../../../services/cluster/resources.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { type Bucket, ObjectStore, type Standing, StoreFailed } from '../../../services/objectStore.ts';
import { grantIn } from '../../cloudAccess/grant.ts';
import { logKey } from '../observe.ts';

/** The bucket of an object store that is Ready, with its keys; null when the store is not, or its Secret is missing. */
export function bucketOf(store: string, reader: CacheReader): Bucket | null {
  const found = reader.get(objectStores, store);
  const { endpoint, bucket, credentialSecret } = found?.status ?? {};
  const secret = reader.get(secrets, credentialSecret ?? '');
  if (!found || !isReady(found) || !endpoint || !bucket || !secret) return null;
  const { region, key } = grantIn(secret);
  // Manually written keys may not name a region.
  return { endpoint, bucket, region: region || (found.spec.region ?? ''), ...key };
}

const storeOf = Effect.fnUntraced(function* (build: CoreBuild, reader: CacheReader) {
  const name = build.spec.logStoreRef?.name ?? '';
  const bucket = bucketOf(name, reader);
  if (bucket === null) return yield* new StoreFailed({ message: `object store "${name}" is not ready` });
  return { bucket, store: yield* ObjectStore };
});

/** Every run writes the same key; the object's metadata names the run. */
const runKey = 'core-run';

/** The log that the store holds for a build, of any run; null when there is none. */
export const archivedOf = Effect.fnUntraced(function* (build: CoreBuild, reader: CacheReader) {
  const { bucket, store } = yield* storeOf(build, reader);
  return yield* store.head(bucket, logKey(build.metadata.name));
});

/** Whether it is the log of this run. */
export const isOfThisRun = (archived: Standing | null, { status }: CoreBuild): boolean =>
  archived?.metadata[runKey] === status?.startedAt;

/** Stores the log of a run over the version that was read. */
export const archive = Effect.fnUntraced(function* (
  build: CoreBuild,
  log: string,
  { over, reader }: { readonly over: Standing | null; readonly reader: CacheReader },
) {
  const { bucket, store } = yield* storeOf(build, reader);
  const metadata = { [runKey]: build.status?.startedAt ?? '' };
  yield* store.put(bucket, logKey(build.metadata.name), { text: log, metadata, over: over?.etag ?? null });
});

/** The archived log of a build, or null when the store has none. */
export const archivedLog = Effect.fnUntraced(function* (build: CoreBuild, reader: CacheReader) {
  const { bucket, store } = yield* storeOf(build, reader);
  return yield* store.get(bucket, logKey(build.metadata.name));
});
