import { Clock, Effect } from 'effect';
import type { CoreDatabase } from '../../../../crds/coreDatabase.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import { finalBackup } from '../../../../rules/backup/barman.ts';
import { finalBackupJob } from '../../../../rules/backup/jobs.ts';
import type { DatabaseImages } from '../../../../rules/database/images.ts';
import { appliedObject, ownerOf } from '../../../../rules/owned/ownedObject.ts';
import { createdAtMs } from '../../../../rules/time.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { asSeen, Cluster, type Resource, type WriteError } from '../../../services/cluster/cluster.ts';
import { gateOf, specOf } from '../../../../rules/database/deployed.ts';
import { archiveOf, backupOutcome, finalBackupSeen, isMadeFor } from '../../backupArchive/read.ts';
import { planOf } from '../lifecycles/databaseBackup/owned/plan.ts';
import { backupJobs, postgresBackups } from '../../../owned/addonKinds.ts';
/** A last backup that failed is taken again after this time. */
const againMs = 30_000;

/** Whether what stands under the name is to be replaced: left of an earlier database, or failed a while ago. */
function isReplaced(stands: KubeObject, uid: string, now: number): boolean {
  if (!isMadeFor(stands, uid)) return true;
  const age = now - createdAtMs(stands);
  return backupOutcome(stands) === 'failed' && (age >= againMs || age < 0);
}

/** Takes the last backup. What stands is read directly, because a cache may still show the one that was replaced. */
export const startFinalBackup = Effect.fnUntraced(function* (
  database: CoreDatabase,
  reader: CacheReader,
  images: DatabaseImages,
): Effect.fn.Return<void, WriteError, Cluster> {
  const archive = archiveOf(database, reader);
  const plan = archive && planOf(database, archive, { reader, images });
  if (!plan || finalBackupSeen(database, reader) === 'finished') return;
  const spec = specOf(database, gateOf(database));
  const isPostgres = spec.engine === 'Postgres';
  const resource: Resource = isPostgres ? postgresBackups : backupJobs;
  const wanted = isPostgres ? finalBackup(database, spec) : finalBackupJob(database, spec, plan);
  const owner = ownerOf('CoreDatabase', database);
  const cluster = yield* Cluster;
  const stands: KubeObject | null = yield* cluster
    .get(resource, wanted.metadata)
    .pipe(Effect.catchTag('NotFound', () => Effect.succeed(null)));
  if (stands !== null && !isReplaced(stands, owner.uid, yield* Clock.currentTimeMillis)) return;
  if (stands !== null) yield* cluster.remove(resource, wanted.metadata, asSeen(stands));
  yield* (
    cluster
      .create(resource, appliedObject(wanted, owner))
      // It is still being deleted, and the next pass tries again.
      .pipe(Effect.catchTag('AlreadyExists', () => Effect.void))
  );
});
