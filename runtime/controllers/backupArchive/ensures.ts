import { Clock, Effect } from 'effect';
import type { CoreBackupArchive } from '../../../crds/coreBackupArchive.ts';
import { archiveKeptMs } from '../../../rules/backupArchive/retirement.ts';
import { msOf } from '../../../rules/time.ts';
import { done, type Ensure, type Ensured, holds, ServiceFailed } from '../../contract/ensure.ts';
import type { BucketListing, BucketListings } from './ask/bucketListings.ts';
import { folderPrefix } from '../../../rules/backup/folder.ts';
import { dumpKey, expired } from '../../../rules/backup/points.ts';
import { engineOf } from '../../../rules/restore/refusals.ts';
import { Cloud } from '../../services/cloud.ts';
import { bucketAccess } from './observe/account.ts';
import { isRetired } from './observe/archives.ts';

/** Whether the points were listed after the retirement, when the last of them was in the bucket. */
export function isListed({ spec: { deleteAfter } }: CoreBackupArchive, listing: BucketListing | null): boolean {
  if (typeof deleteAfter !== 'string') return true;
  return listing !== null && (listing.retired || !(listing.at < msOf(deleteAfter) - archiveKeptMs));
}

/** A failed list is retried after as long as lists have been failing, within these bounds. */
const minMs = 60_000;
const maxMs = 900_000;

/**
 * Lists a retired archive once more, because its last points may not have been recorded. A requested check lists any
 * archive.
 */
export const listed = (listings: BucketListings): Ensure<CoreBackupArchive> => ({
  run: ({ object, reader }) =>
    Effect.gen(function* () {
      const isDone = () => isListed(object, listings.of(object)) && !listings.isRequested(object);
      if (isDone()) return holds;
      yield* listings.refresh(object, reader);
      if (isDone()) return done;
      const failingMs = listings.failingMs(object, yield* Clock.currentTimeMillis);
      return { is: 'waits', afterMs: Math.min(maxMs, Math.max(minMs, failingMs)) } satisfies Ensured;
    }),
});

/** Deletes dumps beyond the retention; the Postgres operator does so for its backups. */
export const thinned = (listings: BucketListings): Ensure<CoreBackupArchive> => ({
  schedule: { firstMs: 60_000, maxMs: 900_000 },
  run: ({ object, reader }) =>
    Effect.gen(function* () {
      const listing = listings.of(object);
      const { project, serverName, storage, retentionDays } = object.spec;
      if (listing === null || isRetired(object) || engineOf(object) === 'Postgres') return holds;
      const gone = expired(listing.points, retentionDays, yield* Clock.currentTimeMillis);
      const access = bucketAccess(object.spec, reader);
      if (gone.length === 0 || access.is === 'unusable') return holds;
      const cloud = yield* Cloud;
      const prefix = folderPrefix(project, serverName);
      const keys = gone.map(({ id }) => ({ key: `${prefix}${dumpKey(id)}`, version: null }));
      const [refused] = yield* cloud
        .removeVersions(access.account, storage.bucket, keys.slice(0, 1_000))
        .pipe(Effect.mapError((failure) => new ServiceFailed({ message: failure.message })));
      if (refused) return yield* new ServiceFailed({ message: `${refused.code}: ${refused.text}` });
      listings.forget(object, gone);
      return holds;
    }),
});
