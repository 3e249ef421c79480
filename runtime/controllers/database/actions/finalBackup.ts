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
import { find } from '../../../services/cluster/find.ts';
/** A failed final backup is retried after this time. */
const retryAfterMs = 30_000;

/** Whether the existing object is to be replaced: it is of an earlier database, or failed a while ago. */
function isReplaced(live: KubeObject, uid: string, now: number): boolean {
  if (!isMadeFor(live, uid)) return true;
  const age = now - createdAtMs(live);
  return backupOutcome(live) === 'failed' && (age >= retryAfterMs || age < 0);
}

/** Takes the final backup. Reads the existing object directly, because a cache may still show the replaced one. */
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
  const live: KubeObject | null = yield* find(resource, wanted.metadata);
  if (live !== null && !isReplaced(live, owner.uid, yield* Clock.currentTimeMillis)) return;
  if (live !== null) yield* cluster.remove(resource, wanted.metadata, asSeen(live));
  yield* (
    cluster
      .create(resource, appliedObject(wanted, owner))
      // It is still being deleted, and the next pass tries again.
      .pipe(Effect.catchTag('AlreadyExists', () => Effect.void))
  );
});
