import { Clock, Effect } from 'effect';
import type { CoreBackupArchive } from '../../../crds/coreBackupArchive.ts';
import type { CoreDatabase } from '../../../crds/coreDatabase.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { folderPrefix, isOwnFolder } from '../../../rules/backup/folder.ts';
import type {
  BackupArchiveFacts,
  CloudConnectionSeen,
  FolderSeen,
  OwnerSeen,
} from '../../../rules/backupArchive/facts.ts';
import { accountOf } from '../../../rules/cloud/account.ts';
import { type Fact, type FactName, known, unasked } from '../../../rules/fact.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { backupArchives, cloudConnections, databases } from '../../services/cluster/kinds.ts';
import { ActionFailed } from '../../contract/lifecycle.ts';
import { secrets } from '../../services/cluster/resources.ts';
import { Cloud, type CloudFailed } from '../../services/cloud.ts';
import { Cluster, type Gone, type ReadError, type Resource } from '../../services/cluster/cluster.ts';
import { monotonicMs } from '../../services/monotonic.ts';
import { secretText } from '../../services/secretText.ts';
import type { Deletions } from '../provisioned/deletion.ts';
import { isRetired } from './observe/archives.ts';
import type { Folder } from './ask/folders.ts';
import { ownerSeen } from './observe/owner.ts';
import { isFilled, purgeFor } from './actions/purge.ts';
import { isDeleting } from '../../../rules/deleting.ts';
import { find } from '../../services/cluster/find.ts';

type Reading<A> = Effect.Effect<A, ReadError | Gone, Cluster | Cloud>;

/** The database of an archive, by a direct read. */
export const ownerNow = Effect.fnUntraced(function* (
  archive: CoreBackupArchive,
  reader: CacheReader,
  deletions: Deletions,
): Effect.fn.Return<OwnerSeen, ReadError | Gone, Cluster> {
  const database = yield* find(databases, { name: archive.spec.database });
  const input = { now: yield* Clock.currentTimeMillis, monotonic: yield* monotonicMs };
  return ownerSeen(archive, database ?? undefined, { ...input, reader, deletions });
});

/** Combines a direct list with the caches: either may be stale, and purged data are lost. */
const listedAndCached = <O extends KubeObject>(resource: Resource<O>, reader: CacheReader): Reading<readonly O[]> =>
  Effect.map(
    Effect.flatMap(Cluster, (cluster) => cluster.list(resource)),
    ({ items }) => [...items, ...reader.list(resource)],
  );

const isInUse = (archive: CoreBackupArchive, reader: CacheReader): Reading<boolean> =>
  Effect.map(listedAndCached(backupArchives, reader), (all) =>
    all.some(
      (one) =>
        one.metadata.uid !== archive.metadata.uid &&
        !isRetired(one) &&
        one.spec.project === archive.spec.project &&
        one.spec.serverName === archive.spec.serverName &&
        one.spec.storage.bucket === archive.spec.storage.bucket,
    ),
  );

const isBegun = ({ metadata, spec, status }: CoreDatabase, archive: string): boolean =>
  spec.restoreFrom?.archive === archive &&
  (status?.host ?? '') === '' &&
  typeof status?.restoredAt !== 'string' &&
  !isDeleting({ metadata });

const isRestoring = ({ metadata }: CoreBackupArchive, reader: CacheReader): Reading<boolean> =>
  Effect.map(listedAndCached(databases, reader), (all) => all.some((one) => isBegun(one, metadata.name)));

/** The account of the connection itself: a bucket's user may not see old versions. */
const connected = Effect.fnUntraced(function* ({ spec }: CoreBackupArchive) {
  const connection = yield* find(cloudConnections, { name: spec.storage.connectionRef.name });
  // A connection of another project is not the archive's, whatever its name.
  if (connection === null || connection.spec.project !== spec.project) return 'absent' as const;
  const secret = yield* find(secrets, { name: connection.spec.secretRef.name });
  if (secret === null) return 'noSecret' as const;
  const keys = {
    accessKeyId: secretText(secret, 'ACCESS_KEY_ID'),
    secretAccessKey: secretText(secret, 'ACCESS_SECRET_KEY'),
  };
  if (keys.accessKeyId === '' || keys.secretAccessKey === '') return 'noKeys' as const;
  return accountOf(connection.spec, keys, spec.storage.region || undefined);
});

const folderOf = (archive: CoreBackupArchive): Reading<Folder | CloudConnectionSeen> =>
  Effect.map(connected(archive), (account) =>
    typeof account === 'string'
      ? account
      : {
          account,
          bucket: archive.spec.storage.bucket,
          prefix: folderPrefix(archive.spec.project, archive.spec.serverName),
        },
  );

const refusedBy = ({ code, message }: CloudFailed): FolderSeen => ({
  is: 'refused',
  code,
  text: withoutCode(code, message),
});
const withoutCode = (code: string, why: string) => (why.startsWith(`${code}: `) ? why.slice(code.length + 2) : why);

/** Why the last page was refused, for the next decision of this pass. */
const refusals = new WeakMap<CoreBackupArchive, FolderSeen>();

/** The folder after a failed action of this pass. */
export const folderAfter = (archive: CoreBackupArchive, failure: ActionFailed | null): Fact<FolderSeen> => {
  const refused = failure?.action === 'purgePage' ? refusals.get(archive) : undefined;
  return refused === undefined ? unasked : known(refused);
};

const folderSeen = (archive: CoreBackupArchive): Reading<FolderSeen> =>
  Effect.gen(function* () {
    const { project, serverName } = archive.spec;
    if (!isOwnFolder(project, serverName))
      return { is: 'refused', code: 'InvalidFolder', text: `"${serverName}" is no folder of its own` } as const;
    const folder = yield* folderOf(archive);
    if (typeof folder === 'string') return { is: 'refused', code: 'ConnectionUnavailable', text: folder } as const;
    return yield* isFilled(folder).pipe(
      Effect.map((is): FolderSeen => ({ is: is ? 'filled' : 'empty' })),
      Effect.catchTag('CloudFailed', (failure) => Effect.succeed(refusedBy(failure))),
    );
  });

/** The facts of a purge, each by direct reads. */
export const purgeFacts: Readonly<
  Record<
    Exclude<FactName<BackupArchiveFacts>, 'owner'>,
    (archive: CoreBackupArchive, reader: CacheReader) => Reading<unknown>
  >
> = {
  folderInUse: isInUse,
  restoring: isRestoring,
  connection: (archive) => Effect.map(folderOf(archive), (found) => (typeof found === 'string' ? found : 'ready')),
  folder: folderSeen,
};

/** Purges the folder; the next decision reads a refusal. */
export const purge = (archive: CoreBackupArchive): Effect.Effect<void, ActionFailed, Cluster | Cloud> =>
  Effect.gen(function* () {
    const folder = yield* folderOf(archive);
    if (typeof folder !== 'string') yield* purgeFor(folder);
  }).pipe(
    Effect.mapError((error) => {
      if (error._tag === 'CloudFailed') refusals.set(archive, refusedBy(error));
      return new ActionFailed({ action: 'purgePage', retry: 'waiting', message: 'the folder could not be emptied' });
    }),
  );
