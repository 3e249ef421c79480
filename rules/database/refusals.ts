import type { CoreDatabase, DatabaseSpec } from '../../crds/coreDatabase.ts';
import { quantityOf } from '../owned/quantity.ts';
import { hasVolume, isManaged, storageSizeOf } from './effective.ts';
import { misnamedOf } from './misnamed.ts';

/** The smallest volume that pages and API offer. */
const minStorage = '1Gi';

interface SpecRefusal {
  readonly when: (spec: DatabaseSpec) => boolean;
  readonly says: (spec: DatabaseSpec) => string;
}

const isExternal = ({ placement }: DatabaseSpec) => placement === 'External';

/** Specs that cannot work on any cluster, which the API refuses to save (document 001, Endpoints and Errors). */
const specRefusals: readonly SpecRefusal[] = [
  {
    when: (spec) => spec.backup?.enabled === true && (isExternal(spec) || spec.engine === 'Redis'),
    says: () => 'Backups are not available for this kind of database',
  },
  {
    when: (spec) => !isExternal(spec) && spec.highAvailability && spec.engine === 'SQLite',
    says: () => 'SQLite does not support high availability',
  },
  {
    when: (spec) => isManaged(spec) && spec.engine !== 'MySQL' && spec.engine !== 'Postgres',
    says: ({ engine }) => `ManagedDb hosts MySQL and Postgres databases, not ${engine}`,
  },
  {
    when: (spec) => (spec.clusterSize ?? '') !== '' && !isManaged(spec),
    says: () => 'clusterSize is only for a database that ManagedDb creates',
  },
  {
    when: (spec) => !isExternal(spec) && spec.engine === 'Postgres' && spec.version === '',
    says: () => 'version must be a major version of Postgres such as 16',
  },
  {
    when: ({ externalPort = 1 }) => externalPort < 1 || externalPort > 65_535,
    says: () => 'externalPort must be a whole number from 1 to 65535',
  },
  {
    when: (spec) => hasVolume(spec) && (quantityOf(storageSizeOf(spec)) ?? 0n) < (quantityOf(minStorage) ?? 0n),
    says: () => `storageSize must be at least ${minStorage}`,
  },
];

/** Why the spec of a database is refused; null when it may be saved. */
export const refusalOfSpec = (database: Pick<CoreDatabase, 'metadata'>, spec: DatabaseSpec): string | null =>
  specRefusals.find(({ when }) => when(spec))?.says(spec) ?? (misnamedOf(database, spec) || null);
