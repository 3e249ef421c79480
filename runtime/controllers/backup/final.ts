import { Clock, Effect } from 'effect';
import type { Job } from '../../../crds/builtIn.ts';
import type { CoreDatabase } from '../../../crds/coreDatabase.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { finalBackup } from '../../../rules/backup/barman.ts';
import { finalBackupJob } from '../../../rules/backup/jobs.ts';
import { finalBackupName } from '../../../rules/backup/names.ts';
import type { DatabaseImages } from '../../../rules/database/images.ts';
import { namespaceOf } from '../../../rules/database/effective.ts';
import type { FinalBackupSeen } from '../../../rules/database/facts.ts';
import { appliedObject, ownerOf } from '../../../rules/owned/ownedObject.ts';
import { createdAtMs } from '../../../rules/time.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { asSeen, Cluster, type Resource, type WriteError } from '../../services/cluster/cluster.ts';
import { gateOf, specOf } from '../database/spec.ts';
import { archiveOf } from './archivesOf.ts';
import { planOf } from './plan.ts';
import { cameOf, isMadeFor } from './progress.ts';
import { backupJobs, postgresBackups } from './resources.ts';

/** A last backup that failed is taken again after this time. */
const againMs = 30_000;

/** Where the last backup of a database that is being deleted stands; `finished` also where there is nothing to save. */
export function finalBackupSeen(database: CoreDatabase, reader: CacheReader): FinalBackupSeen {
  const archive = archiveOf(database, reader);
  // One that has a backup ran, although the process may have ended before it said so.
  const hasRun = (database.status?.host ?? '') !== '' || typeof archive?.status?.lastBackupTime === 'string';
  if (!hasRun || archive === undefined) return 'finished';
  const spec = specOf(database, gateOf(database));
  const at = [finalBackupName(database.metadata.name), namespaceOf(spec)] as const;
  const stands = spec.engine === 'Postgres' ? reader.get(postgresBackups, ...at) : reader.get(backupJobs, ...at);
  return stands === undefined || !isMadeFor(stands, database.metadata.uid ?? '') ? 'absent' : cameBy(stands);
}

/** What a Job, or a Backup of the operator for Postgres, has come to. */
function cameBy(stands: KubeObject): 'running' | 'finished' | 'failed' {
  const { phase } = (stands as { readonly status?: { readonly phase?: string } }).status ?? {};
  if (phase === 'completed') return 'finished';
  if (phase === 'failed') return 'failed';
  const came = cameOf(stands as Job);
  return came === 'succeeded' ? 'finished' : came;
}

/** Whether what stands under the name is to be replaced: left of an earlier database, or failed a while ago. */
function isReplaced(stands: KubeObject, uid: string, now: number): boolean {
  if (!isMadeFor(stands, uid)) return true;
  const age = now - createdAtMs(stands);
  return cameBy(stands) === 'failed' && (age >= againMs || age < 0);
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
