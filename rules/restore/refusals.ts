import type { BackupArchiveSpec, BackupArchiveStatus } from '../../crds/coreBackupArchive.ts';
import { quantityOf } from '../owned/quantity.ts';
import { msOf } from '../time.ts';
import type { Choice } from './choice.ts';

/** The fields of the archive of a restore that the decision needs. */
export interface ArchiveSeen {
  readonly spec: Pick<BackupArchiveSpec, 'project' | 'source' | 'deleteAfter'>;
  readonly status?: BackupArchiveStatus | undefined;
}

/** The requested restored database. */
export interface RestoreWanted extends Choice {
  readonly project: string;
  readonly engine: string;
  readonly version: string;
  readonly databaseName: string;
  readonly storageSize: string;
}

export interface RestoreSeen {
  readonly wanted: RestoreWanted;
  /** Null when no archive has the name. */
  readonly archive: ArchiveSeen | null;
  /** Why the bucket cannot be read; empty when it can. */
  readonly storage: string;
  readonly now: number;
}

/** The kind of refusal: the response of REST, and the effect on a manually created database. */
export type RestoreRefusal = {
  readonly is: 'gone' | 'noPoints' | 'storage' | 'wrong';
  readonly why: string;
};

interface Row {
  readonly is: RestoreRefusal['is'];
  readonly when: (seen: RestoreRequest) => boolean;
  readonly says: (seen: RestoreRequest) => string;
}
type RestoreRequest = RestoreSeen & { readonly archive: ArchiveSeen };

const sourceOf = ({ archive }: RestoreRequest) => archive.spec.source ?? {};
export const engineOf = ({ spec }: Pick<ArchiveSeen, 'spec'>): string => spec.source?.engine || 'Postgres';
const pointsOf = ({ archive }: RestoreRequest) => archive.status?.restorePoints ?? [];
const startOf = ({ archive }: RestoreRequest) => archive.status?.recoveryWindowStart ?? '';
const endOf = ({ archive }: RestoreRequest) => archive.status?.recoveryWindowEnd ?? '';
const isUnlike = (one: string | undefined, wanted: string) => (one ?? '') !== '' && one !== wanted;
const isLess = (one: string, other: string) => (quantityOf(one) ?? 0n) < (quantityOf(other) ?? 0n);

const gone = 'These backups are no longer available';

/** Backups that are due for the purge may vanish at any moment. */
const isDue = ({ archive, now }: RestoreRequest): boolean => {
  const at = archive.spec.deleteAfter;
  return typeof at === 'string' && msOf(at) <= now;
};

/** Why a restore is refused, in the order of the documents (001 Restore refusals). */
const rows: readonly Row[] = [
  { is: 'gone', when: isDue, says: () => gone },
  {
    is: 'wrong',
    when: ({ archive, wanted }) => archive.spec.project !== wanted.project,
    says: () => 'Backups from another project cannot be restored here',
  },
  {
    is: 'wrong',
    when: ({ archive, wanted }) => engineOf(archive) !== wanted.engine,
    says: ({ archive }) => `A restored database must use the same engine as the original (${engineOf(archive)})`,
  },
  {
    is: 'wrong',
    when: (seen) => engineOf(seen.archive) === 'Postgres' && isUnlike(sourceOf(seen).version, seen.wanted.version),
    says: (seen) =>
      `A restored database must use Postgres version ${sourceOf(seen).version ?? ''}, the version of the backup`,
  },
  {
    is: 'wrong',
    when: (seen) => isUnlike(sourceOf(seen).databaseName, seen.wanted.databaseName),
    says: (seen) => `A restored database must keep the database name ${sourceOf(seen).databaseName ?? ''}`,
  },
  {
    is: 'wrong',
    when: (seen) => isLess(seen.wanted.storageSize, String(sourceOf(seen).storageSize ?? '0')),
    says: (seen) =>
      `A restored database needs at least ${String(sourceOf(seen).storageSize)} of storage, the size of the original`,
  },
  {
    is: 'noPoints',
    when: (seen) => pointsOf(seen).length === 0,
    says: () => 'These backups have no restore points yet',
  },
  {
    is: 'wrong',
    when: (seen) =>
      seen.wanted.restorePoint !== undefined && !pointsOf(seen).some(({ id }) => id === seen.wanted.restorePoint),
    says: () => 'The chosen restore point is not available',
  },
  {
    is: 'wrong',
    when: (seen) => seen.wanted.time !== undefined && isTimed(seen) && msOf(seen.wanted.time) < msOf(startOf(seen)),
    says: (seen) => `The chosen time is earlier than the oldest restore point, ${startOf(seen)}`,
  },
  {
    is: 'wrong',
    when: (seen) => seen.wanted.time !== undefined && isTimed(seen) && !(msOf(seen.wanted.time) <= msOf(endOf(seen))),
    says: (seen) => `The chosen time is later than the newest recoverable moment, ${endOf(seen)}`,
  },
  {
    is: 'wrong',
    when: (seen) => seen.wanted.time !== undefined && !isTimed(seen),
    says: () => 'This database can only be restored to a restore point',
  },
  {
    is: 'wrong',
    when: ({ wanted }) => wanted.restorePoint !== undefined && wanted.time !== undefined,
    says: () => 'Choose either a restore point or a time, not both',
  },
  {
    is: 'storage',
    when: ({ storage }) => storage !== '',
    says: ({ storage }) => `The backup storage is not available: ${storage}`,
  },
];

/** Only Postgres has a change log, by which any moment can be restored. */
const isTimed = ({ archive }: RestoreRequest): boolean => engineOf(archive) === 'Postgres';

/** Why a database cannot be restored from these backups; null when it can. */
export function restoreRefusal({ archive, ...seen }: RestoreSeen): RestoreRefusal | null {
  if (archive === null) return { is: 'gone', why: gone };
  const asked = { ...seen, archive };
  const row = rows.find(({ when }) => when(asked));
  return row ? { is: row.is, why: row.says(asked) } : null;
}
