import type { CoreDatabase, DatabaseSpec } from '../../crds/coreDatabase.ts';
import { systemNamespace } from '../../crds/names.ts';
import type { DatabaseRan } from './lasting.ts';

const ports: Readonly<Record<DatabaseSpec['engine'], number>> = {
  Postgres: 5432,
  MySQL: 3306,
  Redis: 6379,
  SQLite: 4001,
};

/** Compute resources as a container takes them. */
export type Resources = NonNullable<DatabaseSpec['resources']>;

/** A database without a project is the shared server of the cluster. */
export const isShared = ({ project }: Pick<DatabaseSpec, 'project'>): boolean => !project;

/** Whether `ManagedDb` creates the database. */
export const isManaged = ({
  placement,
  provider,
  mode,
}: Pick<DatabaseSpec, 'placement' | 'provider' | 'mode'>): boolean =>
  placement === 'External' && provider === 'ManagedDb' && mode === 'Create';

/** The namespace of a database and its Secrets. */
export const namespaceOf = ({ project, environment }: Pick<DatabaseSpec, 'project' | 'environment'>): string =>
  project ? `${project}-${environment ?? ''}` : systemNamespace;

/** `spec.databaseName`, else the name of the object. */
export const databaseNameOf = ({ metadata }: Pick<CoreDatabase, 'metadata'>, spec: DatabaseSpec): string =>
  spec.databaseName || metadata.name;

/** `spec.externalPort` of an external database, else the port of the engine. */
export const portOf = ({ engine, placement, externalPort }: DatabaseSpec): number =>
  placement === 'External' ? (externalPort ?? ports[engine]) : ports[engine];

/** The major version of Postgres; the other engines have none. */
export const versionOf = ({ engine, version }: Partial<Pick<DatabaseSpec, 'engine' | 'version'>>): string =>
  engine === 'Postgres' ? (version ?? '') : '';

export const storageSizeOf = ({ engine, storageSize }: DatabaseSpec): string =>
  String(storageSize ?? (engine === 'SQLite' ? '1Gi' : '10Gi'));

/** Whether a database keeps its data on volumes. */
export const hasVolume = ({ engine, placement }: Pick<DatabaseSpec, 'engine' | 'placement'>): boolean =>
  placement === 'InCluster' && engine !== 'Redis';

/** Whether a database of that name is created only once: by a server on its setup, or at the provider. */
const makesDatabase = (spec: DatabaseSpec): boolean =>
  isManaged(spec) || (spec.placement === 'InCluster' && (spec.engine === 'Postgres' || spec.engine === 'MySQL'));

/** The immutable parts of a provisioned spec. */
export const ranAs = (database: Pick<CoreDatabase, 'metadata'>, spec: DatabaseSpec): DatabaseRan => ({
  engine: spec.engine,
  placement: spec.placement,
  version: versionOf(spec),
  storageSize: hasVolume(spec) ? storageSizeOf(spec) : '',
  databaseName: makesDatabase(spec) ? databaseNameOf(database, spec) : '',
  highAvailability: spec.placement === 'InCluster' && spec.highAvailability,
});

/** `spec.resources` counts only when `requests` is set. */
export function resourcesOf({ engine, resources }: DatabaseSpec): Resources {
  if (resources?.requests) return resources;
  return { requests: engine === 'SQLite' ? { cpu: '100m', memory: '128Mi' } : { cpu: '250m', memory: '512Mi' } };
}
