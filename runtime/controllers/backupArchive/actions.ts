import { Effect } from 'effect';
import { type BackupArchiveSpec, type CoreBackupArchive } from '../../../crds/coreBackupArchive.ts';
import { annotation } from '../../../crds/names.ts';
import type { BackupArchiveAction } from '../../../machines/names.ts';
import { followedSpec } from '../../../rules/backupArchive/archive.ts';
import type { BackupArchiveFacts } from '../../../rules/backupArchive/facts.ts';
import { archivePurged } from '../../../rules/backupArchive/purged.ts';
import { deleteAfterOf } from '../../../rules/backupArchive/retirement.ts';
import { withCondition } from '../../../rules/condition.ts';
import { isoTime } from '../../../rules/time.ts';
import { readOut } from '../../../rules/verdict.ts';
import { databases } from '../../services/cluster/kinds.ts';
import { type Acting, type Actions } from '../../contract/lifecycle.ts';
import { gateOf, specOf } from '../../../rules/database/deployed.ts';
import type { BucketListings } from './ask/bucketListings.ts';
import { isBackedUpNow } from './observe/owner.ts';
import { purge } from './ask.ts';
type Spec = Partial<{ readonly [F in keyof BackupArchiveSpec]: BackupArchiveSpec[F] | null }>;
type Acts = Acting<CoreBackupArchive, BackupArchiveFacts>;

/** The fields copied from the deployed database; none when it is deleted. */
function followed({ object, reader }: Acts) {
  const database = reader.get(databases, object.spec.database);
  if (database?.metadata.uid !== object.spec.databaseUID || !isBackedUpNow(database)) return {};
  const displayName = database.metadata.annotations?.[annotation.displayName];
  return {
    ...(displayName === undefined ? {} : { metadata: { annotations: { [annotation.displayName]: displayName } } }),
    spec: followedSpec(database, specOf(database, gateOf(database))) satisfies Spec,
  };
}

function unpurged({ object, facts, at }: Acts) {
  const { connection, folder, connectionName } = facts;
  const verdict = readOut('Purged', archivePurged, {
    connectionName,
    connection: connection.is === 'known' ? connection.value : 'ready',
    refusal: folder.is === 'known' && folder.value.is === 'refused' ? folder.value : { code: '', text: '' },
  });
  return { status: { ...object.status, conditions: withCondition(object, verdict, at) } };
}

/** The named actions of an archive. */
export const archiveActions = (
  listings: BucketListings,
): Actions<BackupArchiveAction, CoreBackupArchive, BackupArchiveFacts> => ({
  createArchive: {},
  followDatabase: {
    patch: followed,
    effect: ({ object, reader }) => Effect.asVoid(listings.refresh(object, reader)),
  },
  retire: { patch: ({ facts }) => ({ spec: { deleteAfter: isoTime(deleteAfterOf(facts.now)) } }) },
  recordUnpurged: { patch: unpurged },
  purgePage: {
    patch: ({ object }) =>
      (object.status?.conditions ?? []).length === 0 ? {} : { status: { ...object.status, conditions: [] } },
    effect: ({ object }) => purge(object),
  },
  deleteArchive: {},
});
