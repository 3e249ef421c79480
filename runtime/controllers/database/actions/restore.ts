import { Clock, Effect } from 'effect';
import type { Job } from '../../../../crds/builtIn.ts';
import type { CoreBackupArchive } from '../../../../crds/coreBackupArchive.ts';
import type { CoreDatabase, DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import { annotation } from '../../../../crds/names.ts';
import type { RecoveryTarget } from '../../../../rules/backup/barman.ts';
import { folderPrefix } from '../../../../rules/backup/folder.ts';
import { restoreJob } from '../../../../rules/backup/jobs.ts';
import { restoreJobName } from '../../../../rules/backup/names.ts';
import { databaseNameOf, namespaceOf, storageSizeOf } from '../../../../rules/database/effective.ts';
import type { DatabaseRestore, DatabaseObserved } from '../../../../rules/database/facts.ts';
import type { DatabaseImages } from '../../../../rules/database/images.ts';
import { runningSpec } from '../../../../rules/draftDeploy/running.ts';
import { appliedObject, ownerOf } from '../../../../rules/owned/ownedObject.ts';
import { type Chosen, chosenIn, chosenOf, chosenText } from '../../../../rules/restore/choice.ts';
import { restoreRefusal, type RestoreRefusal, type RestoreWanted } from '../../../../rules/restore/refusals.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { backupArchives } from '../../../services/cluster/kinds.ts';
import { ActionFailed } from '../../../contract/lifecycle.ts';
import { ownedBy } from '../../../owned/kinds.ts';
import type { Cloud, CloudFailed } from '../../../services/cloud.ts';
import { asSeen, Cluster, type WriteError } from '../../../services/cluster/cluster.ts';
import { gateOf, specOf } from '../../../../rules/database/deployed.ts';
import { jobOutcome } from '../../../../rules/jobOutcome.ts';
import { bucketAccess, isMadeFor } from '../../backupArchive/read.ts';
import { planOf } from '../lifecycles/databaseBackup/owned/plan.ts';
import { backupJobs } from '../../../owned/addonKinds.ts';
import { targetAt } from './restoreTarget.ts';
import { find } from '../../../services/cluster/find.ts';

/** The restore that a spec requests, as its refusals compare it. */
export const restoreWanted = (database: Pick<CoreDatabase, 'metadata'>, spec: DatabaseSpec): RestoreWanted => ({
  project: spec.project ?? '',
  engine: spec.engine,
  version: spec.version,
  databaseName: databaseNameOf(database, spec),
  storageSize: storageSizeOf(spec),
  restorePoint: spec.restoreFrom?.restorePoint,
  time: spec.restoreFrom?.time,
});

/** Why a database of this spec cannot be restored from the named backups; null when it can. */
export function refusalOf(
  database: Pick<CoreDatabase, 'metadata'>,
  spec: DatabaseSpec,
  { reader, now }: { readonly reader: CacheReader; readonly now: number },
): RestoreRefusal | null {
  const archive = reader.get(backupArchives, spec.restoreFrom?.archive ?? '') ?? null;
  const access = archive === null ? null : bucketAccess(archive.spec, reader);
  const storage = access?.is === 'unusable' ? access.why : '';
  return restoreRefusal({ wanted: restoreWanted(database, spec), archive, storage, now });
}

/** The origin of a provisioned database; null when it was created empty. */
export function originOf(
  { metadata, status }: CoreDatabase,
  spec: DatabaseSpec,
  reader: CacheReader,
): { readonly archive: CoreBackupArchive; readonly chosen: Chosen } | null {
  const name = spec.restoreFrom?.archive ?? '';
  const archive = reader.get(backupArchives, name);
  const chosen = chosenIn(metadata.annotations?.[annotation.restoredFrom], name);
  const isServing = (status?.host ?? '') !== '';
  return archive === undefined || chosen === null || isServing ? null : { archive, chosen };
}

const isRestored = ({ status }: CoreDatabase): boolean =>
  (status?.host ?? '') !== '' || typeof status?.restoredAt === 'string';

const counts = { gone: 'permanent', wrong: 'permanent', noPoints: 'waiting', storage: 'counted' } as const;

/** Why a restore does not start yet; a settled one is not checked again. */
export function refusedNow(
  database: CoreDatabase,
  spec: DatabaseSpec,
  given: { readonly reader: CacheReader; readonly now: number },
): DatabaseObserved['restoreRefused'] {
  const name = spec.restoreFrom?.archive;
  if (name === undefined || spec.placement === 'External' || isRestored(database)) return null;
  if (chosenIn(database.metadata.annotations?.[annotation.restoredFrom], name) !== null) return null;
  const refusal = refusalOf(database, spec, given);
  return refusal === null ? null : { counts: counts[refusal.is], why: refusal.why, archive: name };
}

/** The annotation that keeps the first choice; null when nothing is to be settled. */
function choosing(database: CoreDatabase, reader: CacheReader, now: number): string | null {
  const spec = runningSpec(gateOf(database), database);
  const name = spec?.restoreFrom?.archive;
  if (spec === null || name === undefined || spec.placement === 'External' || isRestored(database)) return null;
  if (chosenIn(database.metadata.annotations?.[annotation.restoredFrom], name) !== null) return null;
  const archive = reader.get(backupArchives, name);
  if (!archive || refusalOf(database, spec, { reader, now }) !== null) return null;
  const chosen = chosenOf(spec.restoreFrom ?? {}, spec.engine, archive.status ?? {});
  return chosen === null ? null : chosenText(name, chosen);
}

/** The patch that settles the source of a new database. */
export function restoreSettled(database: CoreDatabase, reader: CacheReader, now: number) {
  const text = choosing(database, reader, now);
  return text === null ? null : { metadata: { annotations: { [annotation.restoredFrom]: text } } };
}

const recoveryJob = ({ metadata }: CoreDatabase, reader: CacheReader): Job | undefined =>
  reader
    .indexed(backupJobs, ...ownedBy('CoreDatabase', metadata.name))
    .find((job) => job.metadata.name.endsWith('-full-recovery'));

/** The Job that restores a database. */
export function restoring(database: CoreDatabase, spec: DatabaseSpec, reader: CacheReader): Job | undefined {
  if (spec.engine === 'Postgres') return recoveryJob(database, reader);
  const job = reader.get(backupJobs, restoreJobName(database.metadata.name), namespaceOf(spec));
  return job !== undefined && isMadeFor(job, database.metadata.uid ?? '') ? job : undefined;
}

/** The uids of deleted failed Jobs, which a cache may still show shortly. */
export type Discarded = Set<string>;

/** The progress of a database's restore. After giving up, a failed Job no longer counts: a retry deletes it. */
export function restoreSeen(
  database: CoreDatabase,
  spec: DatabaseSpec,
  { reader, discarded }: { readonly reader: CacheReader; readonly discarded: Discarded },
): DatabaseRestore {
  const { phase, restoredAt, host } = database.status ?? {};
  const job = restoring(database, spec, reader);
  const came = job === undefined || discarded.has(job.metadata.uid ?? '') ? 'absent' : jobOutcome(job).is;
  return {
    job: came === 'failed' && phase === 'ProvisionFailed' ? 'absent' : came,
    recorded: typeof restoredAt === 'string',
    served: (host ?? '') !== '',
  };
}

/** Loads the backup into a new database of MySQL or SQLite; an existing Job is used. */
export const startRestore = Effect.fnUntraced(function* (
  database: CoreDatabase,
  reader: CacheReader,
  images: DatabaseImages,
): Effect.fn.Return<boolean, WriteError, Cluster> {
  const spec = specOf(database, gateOf(database));
  const origin = originOf(database, spec, reader);
  const plan = origin && planOf(database, origin.archive, { reader, images });
  if (!plan || origin.chosen.is !== 'point') return false;
  const owner = ownerOf('CoreDatabase', database);
  const wanted = restoreJob(database, spec, { ...plan, restorePoint: origin.chosen.id });
  const cluster = yield* Cluster;
  const live = yield* find(backupJobs, wanted.metadata);
  if (live !== null && isMadeFor(live, owner.uid)) return true;
  if (live !== null) yield* cluster.remove(backupJobs, wanted.metadata, asSeen(live));
  yield* cluster
    .create(backupJobs, appliedObject(wanted, owner) as Job)
    .pipe(Effect.catchTag('AlreadyExists', () => Effect.void));
  return true;
});

/** Deletes the Job of a failed restore, so that the next attempt creates another. */
export const discardRestore = Effect.fnUntraced(function* (
  database: CoreDatabase,
  reader: CacheReader,
  discarded: Discarded,
): Effect.fn.Return<void, WriteError, Cluster> {
  const job = restoring(database, specOf(database, gateOf(database)), reader);
  if (job === undefined || jobOutcome(job).is !== 'failed') return;
  yield* (yield* Cluster).remove(backupJobs, job.metadata, asSeen(job));
  discarded.add(job.metadata.uid ?? '');
});

/** The recovery target of a Postgres server, by database; found before its server is created. */
export type Targets = Map<string, RecoveryTarget>;

/** The message of an action while the chosen moment may not be completely archived. */
const archivesMoment = 'The chosen moment is still being archived';

/** Finds the recovery target of a moment, which depends on the archived change log, once all of it is stored. */
export const findTarget = Effect.fnUntraced(function* (
  database: CoreDatabase,
  reader: CacheReader,
  targets: Targets,
): Effect.fn.Return<void, CloudFailed | ActionFailed, Cloud> {
  const uid = database.metadata.uid ?? '';
  const spec = specOf(database, gateOf(database));
  const origin = originOf(database, spec, reader);
  if (spec.engine !== 'Postgres' || origin === null || targets.has(uid)) return;
  const { archive, chosen } = origin;
  if (chosen.is !== 'time') return void targets.set(uid, chosen);
  const access = bucketAccess(archive.spec, reader);
  if (access.is === 'unusable') return;
  const { project, serverName, storage } = archive.spec;
  const folder = { account: access.account, bucket: storage.bucket, prefix: folderPrefix(project, serverName) };
  const target = yield* targetAt(folder, chosen.time, yield* Clock.currentTimeMillis);
  if (target === null)
    return yield* new ActionFailed({ action: 'applyWorkload', retry: 'waiting', message: archivesMoment });
  targets.set(uid, target);
});
