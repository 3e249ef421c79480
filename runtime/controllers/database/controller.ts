import { Effect } from 'effect';
import type { CoreDatabase, DatabaseSpec } from '../../../crds/coreDatabase.ts';
import { key } from '../../../crds/names.ts';
import { namespaceOf, ranAs } from '../../../rules/database/effective.ts';
import type { DatabaseSeen } from '../../../rules/database/facts.ts';
import { type DatabaseImages, databaseImages } from '../../../rules/database/images.ts';
import { postgresVersion } from '../../../rules/database/postgres.ts';
import { asClaimed } from '../../../rules/managedDatabase/claimed.ts';
import { databases } from '../../services/cluster/kinds.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { bucketListings, type BucketListings } from '../backupArchive/read.ts';
import { backupResources } from './lifecycles/databaseBackup/owned.ts';
import { archivesKept } from './actions/release.ts';
import { restoreSettled } from './actions/restore.ts';
import { databaseBackups } from './lifecycles/databaseBackup/lifecycle.ts';
import { backupWatches } from './controller/backupWatches.ts';
import { watches } from './controller/watches.ts';
import { backupStorages } from '../cloudAccess/storage.ts';
import { type Deletions, makeDeletions } from '../provisioned/deletion.ts';
import { managedDatabase } from './lifecycles/managedDatabase/lifecycle.ts';
import { databaseResources } from './owned.ts';
import { databaseProvisioned, deploy } from './lifecycle.ts';
import { postgresServer } from './observe/runs.ts';
import { settling } from './observe/settled.ts';
import { type Controller, controller } from '../../contract/controller.ts';
import { specOf } from '../../../rules/database/deployed.ts';

/** CoreDatabase: drafts, deploys and provisions a database, of any engine in the cluster or an external one. */
export function databaseController(
  images: DatabaseImages = databaseImages,
  listings: BucketListings = bucketListings(backupStorages()),
  deletions: Deletions = makeDeletions(),
): Controller {
  const ownedResources = databaseResources(images);
  const backups = backupResources(images, listings);
  const { retry, lifecycle, ensures, readyOf } = databaseProvisioned({ ownedResources, backups, deletions }, images);
  return controller<CoreDatabase>({
    resource: databases,
    lifecycles: [deploy.draftDeploy, managedDatabase(ownedResources), retry, lifecycle, databaseBackups(listings)],
    watches: [...ownedResources.watches, ...backups.watches, ...backupWatches, ...watches],
    derive: (database, deriving) => derived(database, deriving.reader, readyOf(database, deriving)),
    causes: (database, deriving) => readyOf(database, deriving).findings(),
    ensures: { ...ensures, backups: backups.set },
    finalizer: { name: key('database'), release: archivesKept(deletions) },
    onMissing: (name, context) => Effect.andThen(ownedResources.sweep(name, context), backups.sweep(name, context)),
    defaults: (database, reader, now) => settling(database, reader) ?? restoreSettled(database, reader, now),
  });
}

/**
 * The provisioned spec, once applied and running; a stop drops it when the data were deleted with the volume. The
 * version of Postgres is what the server reports, because the requested one may never run.
 */
function runningOf(database: CoreDatabase, spec: DatabaseSpec, { workload }: DatabaseSeen, reader: CacheReader) {
  const { status } = database;
  const before = status?.running ?? null;
  if (status?.phase === 'Draft') return before?.engine === 'MySQL' ? { ...before, highAvailability: false } : null;
  const ran = status?.phase === 'Ready' && workload === 'current' ? ranAs(database, asClaimed(database, spec)) : before;
  const server = postgresServer(database, spec, reader);
  return ran === null || server === undefined ? ran : { ...ran, version: postgresVersion(server) };
}

/** Derives Ready by the reached states, and the references. */
function derived(
  database: CoreDatabase,
  reader: CacheReader,
  { seen, conditions }: ReturnType<ReturnType<typeof databaseProvisioned>['readyOf']>,
) {
  const spec = specOf(database, seen.gate);
  const running = runningOf(database, spec, seen, reader);
  return {
    targetNamespace: namespaceOf(spec),
    ...(running === null && database.status?.running === undefined ? {} : { running }),
    conditions,
  };
}
