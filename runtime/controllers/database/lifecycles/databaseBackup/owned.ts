import { Effect } from 'effect';
import type { CoreBackupArchive } from '../../../../../crds/coreBackupArchive.ts';
import type { CoreDatabase } from '../../../../../crds/coreDatabase.ts';
import type { KubeObject } from '../../../../../crds/kind.ts';
import { firstBackup, scheduledBackup } from '../../../../../rules/backup/barman.ts';
import { credentialsSecret } from '../../../../../rules/backup/credentials.ts';
import { backupCronJob, firstBackupJob, isDumped, purposeLabel } from '../../../../../rules/backup/jobs.ts';
import { backupCredentialsName, unplannedOf } from '../../../../../rules/backup/names.ts';
import type { DatabaseImages } from '../../../../../rules/database/images.ts';
import type { CacheReader } from '../../../../cache/reader.ts';
import { databases } from '../../../../services/cluster/kinds.ts';
import { done, type Ensure, holds } from '../../../../contract/ensure.ts';
import { makeOwned, type Owned, owned, type OwnedObject } from '../../../../owned/owned.ts';
import { isDeleting } from '../../../../../rules/deleting.ts';
import { hasPostgres } from '../../observe/runs.ts';
import { gateOf, specOf } from '../../../../../rules/database/deployed.ts';
import {
  bucketAccess,
  archiveOf,
  type BucketListings,
  isBackedUpNow,
  progressOf,
} from '../../../backupArchive/read.ts';
import { planOf } from './owned/plan.ts';
import { backupJobs, postgresBackups, scheduledBackups } from '../../../../owned/addonKinds.ts';

/** The objects that take backups of a database, besides its workload. */
export interface BackupResources extends Pick<Owned<CoreDatabase>, 'watches' | 'sweep' | 'remaining'> {
  /** Reconciles the backups; failures do not affect the database. */
  readonly set: Ensure<CoreDatabase>;
  /** Deletes all of it, for an action. */
  readonly remove: (database: CoreDatabase, reader: CacheReader) => ReturnType<Owned<CoreDatabase>['reconcile']>;
}

/** What loads a backup has a row of its own, until the database serves. */
const loads = (database: CoreDatabase, one: KubeObject): boolean =>
  one.metadata.labels?.[purposeLabel] === 'restore' && (database.status?.host ?? '') === '';

export function backupResources(images: DatabaseImages, listings: BucketListings): BackupResources {
  const own = makeOwned<CoreDatabase>({
    owners: databases,
    resources: [owned.cronJobs, backupJobs, scheduledBackups, postgresBackups, owned.secrets],
    desired: (database, reader) => wantedOf(database, reader, { images, listings }) ?? [],
    leaves: (database, one) =>
      one.kind === 'Secret'
        ? one.metadata.name !== backupCredentialsName(database.metadata.name)
        : !isDeleting(database) && loads(database, one),
  });
  return {
    ...own,
    set: {
      schedule: { firstMs: 5_000, maxMs: 300_000 },
      run: ({ object, reader }) =>
        Effect.gen(function* () {
          const wanted = wantedOf(object, reader, { images, listings });
          if (wanted === null) return holds;
          const { did, requeueAfterMs } = yield* own.reconcile(object, reader, wanted);
          if (did) return done;
          return requeueAfterMs === null ? holds : ({ is: 'waits', afterMs: requeueAfterMs } as const);
        }),
    },
    remove: (database, reader) => own.reconcile(database, reader, [], 'justRead'),
  };
}

interface OwnedInput {
  readonly images: DatabaseImages;
  readonly listings: BucketListings;
}

/** The desired objects of backups; null, which changes nothing, while the bucket cannot be used. */
function wantedOf(
  database: CoreDatabase,
  reader: CacheReader,
  { images, listings }: OwnedInput,
): readonly OwnedObject[] | null {
  const archive = isBackedUpNow(database) ? archiveOf(database, reader) : undefined;
  if (!archive) return [];
  const spec = specOf(database, gateOf(database));
  const { name } = database.metadata;
  const access = bucketAccess(archive.spec, reader);
  const plan = planOf(database, archive, { reader, images });
  if (access.is === 'unusable' || plan === null || unplannedOf(name, spec.engine) !== '') return null;
  const { accessKeyId, secretAccessKey, region } = access.account;
  const secret: OwnedObject = {
    resource: owned.secrets,
    object: credentialsSecret(database, spec, {
      name: backupCredentialsName(name),
      accessKeyId,
      secretAccessKey,
      region,
    }),
    whole: [['data']],
  };
  if (spec.engine === 'Postgres') {
    const daily: OwnedObject = { resource: scheduledBackups, object: scheduledBackup(database, spec) };
    const anew: OwnedObject = {
      resource: postgresBackups,
      object: firstBackup(database, spec),
      fixed: [{ path: ['spec'], then: 'keep' }],
    };
    if (!hasPostgres(reader)) return [secret];
    return [secret, daily, ...(lostBases(database, archive, { reader, listings }) ? [anew] : [])];
  }
  if (!isDumped(spec.engine)) return [];
  const first: OwnedObject = {
    resource: backupJobs,
    object: firstBackupJob(database, spec, plan),
    fixed: [{ path: ['spec'], then: 'keep' }],
  };
  const cron: OwnedObject = { resource: owned.cronJobs, object: backupCronJob(database, spec, plan) };
  return [secret, cron, ...(awaitsFirst(database, archive, listings) ? [first] : [])];
}

/**
 * Whether the first dump is due: a server that was never ready has no data, and an unlisted folder may contain dumps.
 */
function awaitsFirst(database: CoreDatabase, archive: CoreBackupArchive, listings: BucketListings): boolean {
  const look = listings.of(archive);
  return database.status?.phase === 'Ready' && look !== null && look.points.length === 0;
}

/** Whether the bucket held no base backup after one was taken; the very first is taken by the schedule. */
function lostBases(
  database: CoreDatabase,
  archive: CoreBackupArchive,
  { reader, listings }: { readonly reader: CacheReader; readonly listings: BucketListings },
): boolean {
  const { takenAt } = progressOf(archive, reader);
  return awaitsFirst(database, archive, listings) && takenAt !== null && takenAt < (listings.of(archive)?.at ?? 0);
}
