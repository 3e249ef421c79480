import type { CoreBackupArchive } from '../../../crds/coreBackupArchive.ts';
import { serverNameOf } from '../../../rules/backup/names.ts';
import { known, unasked } from '../../../rules/fact.ts';
import { msOf } from '../../../rules/time.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { databases } from '../../services/cluster/kinds.ts';
import type { ReconcileInput } from '../../contract/lifecycle.ts';
import { absent } from '../../step/step.ts';
import type { Deletions } from '../provisioned/deletion.ts';
import { isRetired } from './observe/archives.ts';
import { ownerSeen } from './observe/owner.ts';
import { folderAfter } from './ask.ts';
import { pointsStatus } from '../../../rules/backup/points.ts';
import { engineOf } from '../../../rules/restore/refusals.ts';
import { isListed } from './ensures.ts';
import type { BucketListings } from './ask/bucketListings.ts';
import { progressOf } from './observe/progress.ts';
import type { Deriving } from '../../contract/controller.ts';

const dueAt = ({ spec }: CoreBackupArchive): number | null =>
  typeof spec.deleteAfter === 'string' ? msOf(spec.deleteAfter) : null;

export const observing =
  (deletions: Deletions) => (archive: CoreBackupArchive, reader: CacheReader, input: ReconcileInput) => {
    const { now, failure, resetFrom } = input;
    const deleteAfter = dueAt(archive);
    const { database, databaseUID, storage, serverName } = archive.spec;
    const owner = ownerSeen(archive, reader.get(databases, database), { ...input, reader, deletions });
    const isDue = deleteAfter !== null && now >= deleteAfter;
    // A missing owner needs a direct read, except for how the archive was created.
    const isCertain = resetFrom === absent || (owner.is === 'alive' ? !isDue : isRetired(archive) && !isDue);
    const server = serverNameOf(database, databaseUID);
    return {
      now,
      found: null,
      deleteAfter,
      owner: isCertain ? known(owner) : unasked,
      folderInUse: unasked,
      restoring: unasked,
      connectionName: storage.connectionRef.name,
      connection: unasked,
      folder: folderAfter(archive, failure),
      serverName: server,
      earlier: serverName === server ? [] : [server],
      projectStorage: 'ready' as const,
    };
  };

/**
 * The restore points as last listed. Without a list since the retirement, the recorded points stay; without these, an
 * earlier list counts.
 */
export function derive(archive: CoreBackupArchive, { reader }: Deriving, listings: BucketListings) {
  const listing = listings.of(archive);
  if (listing === null || (!isListed(archive, listing) && archive.status?.restorePoints !== undefined)) return {};
  const end = archive.status?.recoveryWindowEnd;
  const log =
    engineOf(archive) === 'Postgres'
      ? {
          isSaved: !isRetired(archive) && progressOf(archive, reader).changesSaved,
          end: typeof end === 'string' ? msOf(end) : null,
        }
      : null;
  return { ...pointsStatus(listing.points, log, listing.at) };
}
