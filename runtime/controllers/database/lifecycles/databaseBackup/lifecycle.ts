import { Clock, Effect } from 'effect';
import { backupStates } from '../../../../../crds/databaseStates.ts';
import type { CoreBackupArchive } from '../../../../../crds/coreBackupArchive.ts';
import type { CoreDatabase } from '../../../../../crds/coreDatabase.ts';
import { databaseBackup as machine } from '../../../../../machines/databaseBackup.ts';
import type { DatabaseBackupEvent, DatabaseBackupState } from '../../../../../machines/names.ts';
import { tables } from '../../../../../machines/tables.ts';
import { unplannedOf } from '../../../../../rules/backup/names.ts';
import { isNightMissed } from '../../../../../rules/backup/missed.ts';
import { databaseBackupEvents } from '../../../../../rules/databaseBackup/events.ts';
import type { BackupsSeen, DatabaseBackupFacts, StorageSeen } from '../../../../../rules/databaseBackup/facts.ts';
import { byState } from '../../../../../rules/engine.ts';
import { known, unasked } from '../../../../../rules/fact.ts';
import { createdAtMs, msOf } from '../../../../../rules/time.ts';
import type { CacheReader } from '../../../../cache/reader.ts';
import { projects } from '../../../../services/cluster/kinds.ts';
import { type AnyLifecycle, lifecycle } from '../../../../contract/lifecycle.ts';
import type { Cloud } from '../../../../services/cloud.ts';
import type { Cluster } from '../../../../services/cluster/cluster.ts';
import { errorMessage } from '../../../../../rules/errorMessage.ts';
import { gateOf, specOf } from '../../../../../rules/database/deployed.ts';
import { archiveOf, type BucketListings, isBackedUpNow, progressOf } from '../../../backupArchive/read.ts';
import { archiveKept } from './ensures.ts';
import { actions } from './actions.ts';
import { none } from './actions.ts';
const stateOf = ({ status }: CoreDatabase): DatabaseBackupState =>
  backupStates.find((one) => one === status?.backup?.state) ?? 'NoBackup';

/** The machine of a database's backups: whether its data are saved. */
export const databaseBackups = (listings: BucketListings): AnyLifecycle =>
  lifecycle<CoreDatabase, DatabaseBackupFacts, DatabaseBackupState, DatabaseBackupEvent['type']>({
    name: 'databaseBackup',
    storage: 'status',
    machine,
    ...tables.databaseBackup,
    rules: byState(databaseBackupEvents),
    retrying: (database) => stateOf(database) === 'NeedsStorage',
    read: stateOf,
    // The action adds the message.
    write: (to) => ({ backup: to === 'NoBackup' ? null : { state: to } }),
    shown: (database) => (stateOf(database) === 'NoBackup' ? 'no backups' : stateOf(database)),
    observe: (database, reader, { now }) => ({
      now,
      ...placeSeen(database, reader),
      storage: unasked,
      backups: unasked,
    }),
    ask: (fact, database, reader) =>
      fact === 'storage'
        ? Effect.map(storageSeen(database, reader, listings), known)
        : Effect.map(Clock.currentTimeMillis, (now) => known(backupsSeen(database, reader, { listings, now }))),
    actions,
    ensures: { archiveKept: archiveKept(listings) },
  });

function placeSeen(database: CoreDatabase, reader: CacheReader) {
  const spec = specOf(database, gateOf(database));
  const project = spec.project ?? '';
  return {
    enabled: isBackedUpNow(database),
    engine: spec.engine,
    placement: spec.placement,
    project,
    projectStorage: reader.get(projects, project)?.spec.backupStorage !== undefined,
    archive: archiveOf(database, reader) !== undefined,
  };
}

/** The state of the archive's storage, else of the project's. */
const storageSeen = Effect.fnUntraced(function* (
  database: CoreDatabase,
  reader: CacheReader,
  listings: BucketListings,
): Effect.fn.Return<StorageSeen, never, Cloud | Cluster> {
  const spec = specOf(database, gateOf(database));
  const unplanned = unplannedOf(database.metadata.name, spec.engine);
  if (unplanned !== '') return { is: 'unplanned', why: unplanned };
  const archive = archiveOf(database, reader);
  if (archive) return yield* listings.refresh(archive, reader);
  const project = spec.project ?? '';
  const storage = reader.get(projects, project)?.spec.backupStorage;
  if (!storage) return { is: 'unplanned', why: 'the project has no backup storage' };
  const state = yield* listings.storages
    .reconcile({ project, ...storage }, reader)
    .pipe(Effect.catch((error) => Effect.succeed({ is: 'waiting' as const, why: errorMessage(error) })));
  if (state.is === 'working') return { is: 'working' };
  if (state.is === 'failing') return { is: 'failing', error: state.error };
  // The state NeedsStorage must end once storage is chosen, even before it works.
  return stateOf(database) === 'NeedsStorage'
    ? { is: 'failing', error: state.why }
    : { is: 'unplanned', why: state.why };
});

function backupsSeen(
  database: CoreDatabase,
  reader: CacheReader,
  { listings, now }: { readonly listings: BucketListings; readonly now: number },
): BackupsSeen {
  const archive = archiveOf(database, reader);
  if (!archive) return none;
  const { newest, finished } = pointsSeen(archive, listings);
  const { latestFailed, running, changesSaved } = progressOf(archive, reader);
  const isPostgres = database.spec.engine === 'Postgres';
  const isMissed =
    !isPostgres && !running && isNightMissed(database.metadata.name, { newest, since: createdAtMs(archive), now });
  return { finished, changesSaved, latestFailed: latestFailed || isMissed };
}

/** By the newest list, or by the one that an earlier process wrote down. */
function pointsSeen(archive: CoreBackupArchive, listings: BucketListings) {
  const listing = listings.of(archive);
  if (listing)
    return { finished: listing.points.length > 0, newest: Math.max(0, ...listing.points.map(({ at }) => at)) };
  const last = archive.status?.lastBackupTime;
  return { finished: typeof last === 'string', newest: typeof last === 'string' ? msOf(last) : 0 };
}
