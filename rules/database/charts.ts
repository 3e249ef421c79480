import type { CoreDatabase, DatabaseSpec } from '../../crds/coreDatabase.ts';
import { systemNamespace } from '../../crds/names.ts';
import { podAnnotations, podPlacement } from '../placement.ts';
import { bootstrapSecretName, ownLogin } from './connection.ts';
import { databaseNameOf, namespaceOf, resourcesOf } from './effective.ts';
import { chartFields, type DatabaseImages } from './images.ts';
import { databaseLabels } from './labels.ts';
import { instancesOf } from './wanted.ts';
import type { Settled, Workload } from './settled.ts';

/** The definition of chart installations. */
export const chartDefinition = 'helmcharts.helm.cattle.io';

/** The chart of the Postgres operator, of which a cluster has one. */
export const pgOperatorName = 'core-pg-operator';
const pgOperatorNamespace = 'cnpg-system';

/** The release of a database that a chart installs; empty for the other engines. */
export function releaseOf(database: string, engine: DatabaseSpec['engine']): string {
  if (engine === 'MySQL') return `core-mysql-${database}`;
  return engine === 'Redis' ? `core-redis-db-${database}` : '';
}

/** The database of a release. */
export function releasedName(release: string, engine: 'MySQL' | 'Redis'): readonly string[] {
  const prefix = releaseOf('', engine);
  return release.startsWith(prefix) ? [release.slice(prefix.length)] : [];
}

/** The name of the Job that installs a release, cut at 63 characters. */
export const installJobOf = (release: string): string => `helm-install-${release}`;
export const maxNameLength = (engine: DatabaseSpec['engine']): number =>
  releaseOf('', engine) === '' ? 50 : 63 - installJobOf(releaseOf('', engine)).length;

/** Reinstalling would delete a database whose upgrade failed, and by default a Job is tried a thousand times. */
const carefully = { failurePolicy: 'abort', backOffLimit: 3 };

const helmChart = (
  database: CoreDatabase,
  spec: DatabaseSpec,
  { source, values }: { readonly source: string; readonly values: object },
): Workload => ({
  apiVersion: 'helm.cattle.io/v1',
  kind: 'HelmChart',
  metadata: {
    name: releaseOf(database.metadata.name, spec.engine),
    namespace: systemNamespace,
    labels: databaseLabels(database, spec),
  },
  spec: {
    ...chartFields(source),
    ...carefully,
    targetNamespace: namespaceOf(spec),
    valuesContent: JSON.stringify(values),
  },
});

/** The Postgres operator, unless it is already installed. */
export const pgOperatorChart = ({ pgOperatorChart: source }: DatabaseImages) => ({
  apiVersion: 'helm.cattle.io/v1',
  kind: 'HelmChart',
  metadata: { name: pgOperatorName, namespace: systemNamespace },
  spec: { ...chartFields(source), ...carefully, targetNamespace: pgOperatorNamespace, createNamespace: true },
});

/** The images of the charts have moved to another repository than in the charts. */
const image = (repository: string) => ({
  global: { security: { allowInsecureImages: true } },
  image: { repository },
});

const pods = (database: CoreDatabase, spec: DatabaseSpec, { placement, requiredTags }: Settled) => ({
  resources: resourcesOf(spec),
  podLabels: databaseLabels(database, spec),
  podAnnotations: podAnnotations(requiredTags),
  podAntiAffinityPreset: spec.highAvailability ? 'hard' : 'soft',
  ...podPlacement(placement),
});

export function mysqlObjects(database: CoreDatabase, spec: DatabaseSpec, settled: Settled): readonly Workload[] {
  const { storageClass, firstSize } = settled;
  const one = {
    ...pods(database, spec, settled),
    persistence: { size: firstSize, ...(storageClass === '' ? {} : { storageClass }) },
  };
  const values = {
    ...image('bitnamilegacy/mysql'),
    architecture: spec.highAvailability ? 'replication' : 'standalone',
    auth: {
      existingSecret: bootstrapSecretName(database.metadata.name),
      username: ownLogin,
      database: databaseNameOf(database, spec),
    },
    primary: one,
    ...(spec.highAvailability ? { secondary: { ...one, replicaCount: instancesOf(spec) - 1 } } : {}),
  };
  return [helmChart(database, spec, { source: settled.images.mysqlChart, values })];
}

export function redisObjects(database: CoreDatabase, spec: DatabaseSpec, settled: Settled): readonly Workload[] {
  const one = { ...pods(database, spec, settled), persistence: { enabled: false } };
  const values = {
    ...image('bitnamilegacy/redis'),
    architecture: spec.highAvailability ? 'replication' : 'standalone',
    auth: { existingSecret: bootstrapSecretName(database.metadata.name), existingSecretPasswordKey: redisPasswordKey },
    master: one,
    ...(spec.highAvailability ? { replica: { ...one, replicaCount: instancesOf(spec) - 1 } } : {}),
  };
  return [helmChart(database, spec, { source: settled.images.redisChart, values })];
}

export const redisPasswordKey = 'redis-password';
/** The keys under which the chart of MySQL looks for passwords. */
export const mysqlPasswordKeys = ['mysql-root-password', 'mysql-password', 'mysql-replication-password'] as const;
