import { Effect } from 'effect';
import { eachOf } from '../../../contract/eachOf.ts';
import { isInFolder } from '../../../../rules/backup/folder.ts';
import { Cloud, CloudFailed, type CloudPage, type CloudUpload, type CloudVersion } from '../../../services/cloud.ts';
import { monotonicMs } from '../../../services/monotonic.ts';
import type { Folder } from '../ask/folders.ts';

type Purge<A> = Effect.Effect<A, CloudFailed, Cloud>;

/** Treats a missing bucket as empty. */
const emptyWhereGone = <A>(listing: Purge<CloudPage<A>>): Purge<CloudPage<A>> =>
  listing.pipe(
    Effect.catchIf(
      ({ code }) => code === 'NoSuchBucket',
      () => Effect.succeed({ items: [], next: null }),
    ),
  );

/** The first page with an object of the folder: a store may ignore the prefix. */
const firstOf = <A extends { readonly key: string }>(
  { prefix }: Folder,
  list: (from: string | null) => Purge<CloudPage<A>>,
): Purge<readonly A[]> =>
  Effect.gen(function* () {
    let from: string | null = null;
    for (;;) {
      const page: CloudPage<A> = yield* emptyWhereGone(list(from));
      const own = page.items.filter(({ key }) => isInFolder(key, prefix));
      if (own.length > 0 || page.next === null || page.next === from) return own;
      from = page.next;
    }
  });

const versionsIn = (folder: Folder): Purge<readonly CloudVersion[]> =>
  Effect.flatMap(Cloud, (cloud) =>
    firstOf(folder, (from) => cloud.versions(folder.account, folder.bucket, { prefix: folder.prefix, from })),
  );

const uploadsIn = (folder: Folder): Purge<readonly CloudUpload[]> =>
  Effect.flatMap(Cloud, (cloud) =>
    firstOf(folder, (from) => cloud.uploads(folder.account, folder.bucket, { prefix: folder.prefix, from })),
  );

/** Whether the folder of an archive has any contents: objects, old versions, unfinished uploads. */
export const isFilled = (folder: Folder): Purge<boolean> =>
  Effect.gen(function* () {
    if ((yield* versionsIn(folder)).length > 0) return true;
    return (yield* uploadsIn(folder)).length > 0;
  });

/** Deletes the first page of the folder; false when nothing is left. */
const purgePage = (folder: Folder): Purge<boolean> =>
  Effect.gen(function* () {
    const versions = yield* versionsIn(folder);
    if (versions.length > 0) {
      yield* removeVersions(folder, versions);
      return true;
    }
    const cloud = yield* Cloud;
    const uploads = yield* uploadsIn(folder);
    yield* eachOf(uploads, (upload) => cloud.abortUpload(folder.account, folder.bucket, upload));
    return uploads.length > 0;
  });

const removeVersions = Effect.fnUntraced(function* (
  { account, bucket, prefix }: Folder,
  versions: readonly CloudVersion[],
): Effect.fn.Return<void, CloudFailed, Cloud> {
  const own = versions.filter(({ key }) => isInFolder(key, prefix));
  const [refused] = yield* (yield* Cloud).removeVersions(account, bucket, own);
  if (refused) yield* new CloudFailed({ code: refused.code, status: 403, message: refused.text });
});

/** The most time of one pass; the next one continues with the folder. */
const atOnceMs = 15_000;
/** No folder has as many pages; more means that the store deletes nothing. */
const maxPages = 5_000;

/** Deletes page after page, for a limited time. */
export const purgeFor = (folder: Folder): Purge<void> =>
  Effect.gen(function* () {
    const until = (yield* monotonicMs) + atOnceMs;
    for (let page = 0; page < maxPages && (yield* monotonicMs) < until; page++) if (!(yield* purgePage(folder))) return;
  });
