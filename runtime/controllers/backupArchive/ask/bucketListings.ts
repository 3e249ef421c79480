import { Clock, Effect, Semaphore } from 'effect';
import type { CoreBackupArchive } from '../../../../crds/coreBackupArchive.ts';
import { annotation } from '../../../../crds/names.ts';
import { folderPrefix } from '../../../../rules/backup/folder.ts';
import type { RestorePoint } from '../../../../rules/backup/points.ts';
import { stateOfFailure, type StorageFailure } from '../../../../rules/backupStorage/state.ts';
import type { StorageSeen } from '../../../../rules/databaseBackup/facts.ts';
import { engineOf } from '../../../../rules/restore/refusals.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { Cloud, type CloudFailed, isRefusal } from '../../../services/cloud.ts';
import type { Cluster } from '../../../services/cluster/cluster.ts';
import { errorMessage } from '../../../../rules/errorMessage.ts';
import type { BackupStorages } from '../../cloudAccess/storage.ts';
import { bucketAccess } from '../observe/account.ts';
import { isRetired } from '../observe/archives.ts';
import { basesIn, dumpsIn } from './folders.ts';
import { progressOf } from '../observe/progress.ts';

/** The restore points of an archive, and the time of the list. */
export interface BucketListing {
  readonly at: number;
  /** Whether the archive was retired, so that no later point can follow. */
  readonly retired: boolean;
  readonly points: readonly RestorePoint[];
}

/** The listings of one archive in this process. */
interface ListingEntry {
  readonly uid: string;
  /** When the bucket was last listed, which backups had ended then, and the newest requested check. */
  askedAt: number;
  ended: string;
  request: string;
  listing: BucketListing | null;
  failure: StorageFailure | null;
  /** When requests began to fail. */
  since: number;
  readonly baseEnds: Map<string, number>;
  /** Held during a list; waiting callers share its result. */
  readonly turn: Semaphore.Semaphore;
}

/** The requested check; empty before the first. */
const requestOf = ({ metadata }: CoreBackupArchive): string => metadata.annotations?.[annotation.lookAt] ?? '';

/** A list is valid for this time, unless another backup ends or a check is requested. */
const freshMs = 50_000;

/** Lists the buckets of archives, once for all callers within a minute. */
export interface BucketListings {
  readonly storages: BackupStorages;
  /** The newest list; null before the first. */
  readonly of: (archive: CoreBackupArchive) => BucketListing | null;
  /** Drops what is known of a deleted archive. */
  readonly gone: (name: string) => void;
  /** Removes deleted points from the newest list. */
  readonly forget: (archive: CoreBackupArchive, gone: readonly RestorePoint[]) => void;
  /** Whether a check was requested since the newest list (decision 198). */
  readonly isRequested: (archive: CoreBackupArchive) => boolean;
  /** How long lists of an archive have been failing; 0 after a success. */
  readonly failingMs: (archive: CoreBackupArchive, now: number) => number;
  /** Whether the storage of an archive works. Never fails: the result contains the cloud's answer. */
  readonly refresh: (
    archive: CoreBackupArchive,
    reader: CacheReader,
  ) => Effect.Effect<StorageSeen, never, Cloud | Cluster>;
}

export function bucketListings(storages: BackupStorages): BucketListings {
  const memory = new Map<string, ListingEntry>();
  const known = ({ metadata: { name, uid = '' } }: CoreBackupArchive): ListingEntry | null => {
    const kept = memory.get(name);
    return kept?.uid === uid ? kept : null;
  };
  const keptOf = (archive: CoreBackupArchive): ListingEntry => {
    const { name, uid = '' } = archive.metadata;
    const kept = known(archive) ?? {
      uid,
      askedAt: Number.NEGATIVE_INFINITY,
      ended: '',
      request: '',
      listing: null,
      failure: null,
      since: 0,
      baseEnds: new Map(),
      turn: Semaphore.makeUnsafe(1),
    };
    memory.set(name, kept);
    return kept;
  };
  return {
    storages,
    of: (archive) => known(archive)?.listing ?? null,
    gone: (name) => void memory.delete(name),
    forget: (archive, gone) => {
      const kept = keptOf(archive);
      const ids = new Set(gone.map(({ id }) => id));
      if (kept.listing)
        kept.listing = { ...kept.listing, points: kept.listing.points.filter(({ id }) => !ids.has(id)) };
    },
    failingMs: (archive, now) => {
      const kept = known(archive);
      return kept === null || kept.failure === null ? 0 : now - kept.since;
    },
    isRequested: (archive) => (known(archive)?.request ?? '') !== requestOf(archive),
    refresh: (archive, reader) => {
      const kept = keptOf(archive);
      return kept.turn.withPermit(listOnce(archive, kept, { reader, storages }));
    },
  };
}

/** Lists the bucket unless the newest list is fresh. */
const listOnce = Effect.fnUntraced(function* (
  archive: CoreBackupArchive,
  kept: ListingEntry,
  given: Omit<Asking, 'now'>,
): Effect.fn.Return<StorageSeen, never, Cloud | Cluster> {
  const now = yield* Clock.currentTimeMillis;
  const { ended } = progressOf(archive, given.reader);
  const request = requestOf(archive);
  const isRecent = now >= kept.askedAt && now < kept.askedAt + freshMs;
  if (!isRecent || kept.ended !== ended || kept.request !== request) {
    const isAnswered = yield* ask(archive, kept, { ...given, now });
    if (isAnswered) Object.assign(kept, { askedAt: now, ended, request });
  }
  return seenBy(kept, now);
});

interface Asking {
  readonly reader: CacheReader;
  readonly storages: BackupStorages;
  readonly now: number;
}

/** Reconciles incomplete storage, then lists the folder. False when the next pass has to do it. */
const ask = Effect.fnUntraced(function* (
  archive: CoreBackupArchive,
  kept: ListingEntry,
  { reader, storages, now }: Asking,
): Effect.fn.Return<boolean, never, Cloud | Cluster> {
  const { project, storage } = archive.spec;
  const reconcile = (repair: boolean) =>
    storages.reconcile({ project, ...storage }, reader, repair).pipe(
      Effect.map((state) => (state.is === 'working' ? null : state)),
      Effect.catch((error) => Effect.succeed({ is: 'waiting' as const, why: errorMessage(error) })),
    );
  // Nothing is recreated for a retired archive.
  const needsStorage = !isRetired(archive);
  const lacks = needsStorage ? yield* reconcile(false) : null;
  if (lacks?.is === 'failing') return fail(kept, { isRefusal: true, why: lacks.error }, now);
  const access = bucketAccess(archive.spec, reader);
  // A Secret just written is not in the cache yet.
  if (lacks !== null || access.is === 'unusable') return false;
  const folder = {
    account: access.account,
    bucket: storage.bucket,
    prefix: folderPrefix(project, archive.spec.serverName),
  };
  const listing = engineOf(archive) === 'Postgres' ? basesIn(folder, kept.baseEnds) : dumpsIn(folder);
  const listed = listing.pipe(
    Effect.map((points): CloudFailed | null => {
      Object.assign(kept, { listing: { at: now, retired: !needsStorage, points }, failure: null });
      return null;
    }),
    Effect.catch((failure) => Effect.succeed(failure)),
  );
  const refused = yield* listed;
  // A missing bucket or key is recreated.
  const isMended = refused !== null && needsStorage && isRefusal(refused) && (yield* reconcile(true)) === null;
  const failed = isMended ? yield* listed : refused;
  return failed === null ? true : fail(kept, { isRefusal: isRefusal(failed), why: failed.message }, now);
});

function fail(kept: ListingEntry, failure: StorageFailure, now: number): true {
  Object.assign(kept, { since: kept.failure === null ? now : kept.since, failure });
  return true;
}

function seenBy({ failure, since }: ListingEntry, now: number): StorageSeen {
  if (failure === null) return { is: 'working' };
  const state = stateOfFailure(failure, since, now);
  return state.is === 'failing' ? { is: 'failing', error: state.error } : { is: 'working' };
}
