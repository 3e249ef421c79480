import { Effect } from 'effect';
import type { CoreDatabase } from '../../../crds/coreDatabase.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { finalBackup } from '../../../rules/backup/barman.ts';
import { finalBackupJob } from '../../../rules/backup/jobs.ts';
import { finalBackupName } from '../../../rules/backup/names.ts';
import type { DatabaseImages } from '../../../rules/database/images.ts';
import { namespaceOf } from '../../../rules/database/effective.ts';
import type { FinalBackupSeen } from '../../../rules/database/facts.ts';
import { appliedObject, ownerOf } from '../../../rules/owned/ownedObject.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { asSeen, Cluster, type Resource, type WriteError } from '../../services/cluster.ts';
import { gateOf, specOf } from '../database/spec.ts';
import { archiveOf } from './archivesOf.ts';
import { planOf } from './plan.ts';
import { cameOf, isMadeFor } from './progress.ts';
import { backupJobs, postgresBackups } from './resources.ts';

/** Where the last backup of a database that is being deleted stands; `finished` also where there is nothing to save. */
export function finalBackupSeen(database: CoreDatabase, reader: CacheReader): FinalBackupSeen {
  const wasReady = (database.status?.host ?? '') !== '';
  if (!wasReady || archiveOf(database, reader) === undefined) return 'finished';
  const spec = specOf(database, gateOf(database));
  const name = finalBackupName(database.metadata.name);
  const namespace = namespaceOf(spec);
  const uid = database.metadata.uid ?? '';
  if (spec.engine === 'Postgres') {
    const backup = reader.get(postgresBackups, name, namespace);
    return backup === undefined || !isMadeFor(backup, uid) ? 'absent' : byPhase(backup.status?.phase);
  }
  const job = reader.get(backupJobs, name, namespace);
  if (job === undefined || !isMadeFor(job, uid)) return 'absent';
  const came = cameOf(job);
  return came === 'succeeded' ? 'finished' : came;
}

function byPhase(phase = ''): FinalBackupSeen {
  if (phase === 'completed') return 'finished';
  return phase === 'failed' ? 'failed' : 'running';
}

/** Takes the last backup; one that failed, or is left of an earlier database of that name, is removed first. */
export const startFinalBackup = Effect.fnUntraced(function* (
  database: CoreDatabase,
  reader: CacheReader,
  images: DatabaseImages,
): Effect.fn.Return<void, WriteError, Cluster> {
  const seen = finalBackupSeen(database, reader);
  const archive = archiveOf(database, reader);
  if (archive === undefined || seen === 'finished' || seen === 'running') return;
  const plan = planOf(database, archive, { reader, images });
  if (plan === null) return;
  const spec = specOf(database, gateOf(database));
  const isPostgres = spec.engine === 'Postgres';
  const resource: Resource = isPostgres ? postgresBackups : backupJobs;
  const wanted = isPostgres ? finalBackup(database, spec) : finalBackupJob(database, spec, plan);
  const owner = ownerOf('CoreDatabase', database);
  const cluster = yield* Cluster;
  const stands: KubeObject | null = yield* cluster
    .get(resource, wanted.metadata)
    .pipe(Effect.catchTag('NotFound', () => Effect.succeed(null)));
  if (stands !== null && (seen === 'failed' || !isMadeFor(stands, owner.uid)))
    yield* cluster.remove(resource, wanted.metadata, asSeen(stands));
  else if (stands !== null) return;
  yield* (
    cluster
      .create(resource, appliedObject(wanted, owner))
      // It is still being deleted, and the next pass tries again.
      .pipe(Effect.catchTag('AlreadyExists', () => Effect.void))
  );
});
