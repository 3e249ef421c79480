import type { Job } from '../../../../crds/builtIn.ts';
import type { CoreDatabase, DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import { chartDefinition, pgOperatorName, releaseOf } from '../../../../rules/database/charts.ts';
import { namespaceOf } from '../../../../rules/database/effective.ts';
import type { DatabaseObserved } from '../../../../rules/database/facts.ts';
import { notProvidedBy } from '../../../../rules/database/notProvided.ts';
import { clusterDefinition, postgresRuns } from '../../../../rules/database/postgres.ts';
import { succeededAt } from '../../../../rules/provision/attempts.ts';
import { isReadyPod, isUnsteady, podsSeen } from '../../../../rules/pods.ts';
import { jobOutcome } from '../../../../rules/jobOutcome.ts';
import { createdAtMs } from '../../../../rules/time.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { ownedBy } from '../../../owned/kinds.ts';
import { owned } from '../../../owned/owned.ts';
import { workloadPods } from '../../capacity.ts';
import { chartDefinitions, chartJobs, chartLabel, definitions, serverEndpoints, serviceNameLabel } from '../kinds.ts';
import { helmCharts, postgresClusters } from '../../../owned/addonKinds.ts';

export type Runs = Pick<DatabaseObserved, 'chart' | 'pods'>;

/** Whether the kind of Postgres servers is served. */
export const hasPostgres = (reader: CacheReader): boolean => reader.get(definitions, clusterDefinition) !== undefined;

/** Whether charts can be installed. */
const hasCharts = (reader: CacheReader): boolean => reader.get(chartDefinitions, chartDefinition) !== undefined;

/** The missing operator or chart controller that cannot be installed, as text; empty for none. */
export function uninstalledOf({ engine, placement }: DatabaseSpec, reader: CacheReader): string {
  if (placement === 'External' || engine === 'SQLite' || hasCharts(reader)) return '';
  if (engine === 'Postgres') return hasPostgres(reader) ? '' : 'The Postgres operator';
  return 'The Helm controller';
}

/** Whether a database has run, and was not stopped since. */
export const wasProvisioned = ({ status }: CoreDatabase): boolean => (status?.running ?? null) !== null;

/** Whether the Postgres operator has to be installed. */
export const lacksOperator = (reader: CacheReader): boolean =>
  !hasPostgres(reader) && reader.get(helmCharts, pgOperatorName) === undefined;

/** The chart that runs a database, or the operator of its engine; empty for none. */
const chartOf = ({ metadata }: CoreDatabase, { engine }: DatabaseSpec): string =>
  engine === 'Postgres' ? pgOperatorName : releaseOf(metadata.name, engine);

/** The newest Job of the chart of a database, unless one installed it. */
export function chartJobOf(database: CoreDatabase, spec: DatabaseSpec, reader: CacheReader): Job | undefined {
  if (spec.placement === 'External') return undefined;
  const jobs = reader.indexed(chartJobs, chartLabel, chartOf(database, spec));
  if (jobs.some((job) => jobOutcome(job).is === 'succeeded')) return undefined;
  return jobs.toSorted((one, other) => createdAtMs(other) - createdAtMs(one))[0];
}

/** The state of the Job of a chart; `none` when there is no Job. */
function installing(chart: string, reader: CacheReader): 'none' | 'running' | 'failed' | 'done' {
  const jobs = reader.indexed(chartJobs, chartLabel, chart);
  if (jobs.length === 0) return 'none';
  if (jobs.some((job) => jobOutcome(job).is === 'succeeded')) return 'done';
  return jobs.every((job) => jobOutcome(job).is === 'failed') ? 'failed' : 'running';
}

export const podsOf = ({ metadata }: CoreDatabase, spec: DatabaseSpec, reader: CacheReader) =>
  reader
    .indexed(workloadPods, ...ownedBy('CoreDatabase', metadata.name))
    .filter((pod) => pod.metadata.namespace === namespaceOf(spec));

/** What the cluster does not provide for its server, as text. */
export const notProvidedOf = (database: CoreDatabase, spec: DatabaseSpec, reader: CacheReader): string =>
  notProvidedBy(podsOf(database, spec, reader));

/** Whether any of its pods is scheduled. */
export const isPlaced = (database: CoreDatabase, spec: DatabaseSpec, reader: CacheReader): boolean =>
  podsOf(database, spec, reader).some((pod) => (pod.spec?.nodeName ?? '') !== '');

/** The progress of a database's server, by the operator, the chart or the Deployment that runs it. */
export function runsOf(database: CoreDatabase, spec: DatabaseSpec, reader: CacheReader): Runs {
  if (spec.placement === 'External') return { chart: 'none', pods: 'none' };
  if (spec.engine === 'Postgres') return postgresOf(database, spec, reader);
  const pods = podsOf(database, spec, reader);
  if (spec.engine === 'SQLite') {
    const deployment = reader.get(owned.deployments, database.metadata.name, namespaceOf(spec));
    return { chart: 'none', pods: podsSeen(deployment, pods) };
  }
  const release = releaseOf(database.metadata.name, spec.engine);
  if (reader.get(helmCharts, release) === undefined) return { chart: 'none', pods: 'none' };
  return chartRuns(database, { pods, job: installing(release, reader) });
}

/**
 * The same as time goes by: a database that ran and crashes is starting until it has run for a minute. It does not
 * count as failed meanwhile, because nothing would take back that it was given up.
 */
export function steadyPods(
  database: CoreDatabase,
  spec: DatabaseSpec,
  { reader, now, pods }: Pick<Runs, 'pods'> & { readonly reader: CacheReader; readonly now: number },
): Runs['pods'] {
  if (pods !== 'running' || !wasProvisioned(database)) return pods;
  const availableSince = succeededAt(database.status?.provision);
  return isUnsteady(podsOf(database, spec, reader), { now, availableSince }) ? 'starting' : pods;
}

function chartRuns(
  database: CoreDatabase,
  found: {
    readonly pods: ReturnType<typeof podsOf>;
    readonly job: ReturnType<typeof installing>;
  },
): Runs {
  const { pods, job } = found;
  if (job === 'failed') return { chart: 'none', pods: 'failed' };
  // A missing Job has completed, if the database was provisioned.
  const isInstalled = job === 'done' || (job === 'none' && wasProvisioned(database));
  if (!isInstalled) return { chart: 'installing', pods: 'none' };
  const isUp = pods.length > 0 && pods.every((pod) => isReadyPod(pod));
  return { chart: 'none', pods: isUp ? 'running' : podsSeen(undefined, pods) };
}

const hasEndpoint = (service: string, namespace: string, reader: CacheReader): boolean =>
  reader
    .indexed(serverEndpoints, serviceNameLabel, service)
    .filter(({ metadata }) => metadata.namespace === namespace)
    .some(({ endpoints }) => endpoints?.some(({ conditions }) => conditions?.ready !== false) ?? false);

/** The server of a Postgres database, if it exists. */
export const postgresServer = ({ metadata }: CoreDatabase, spec: DatabaseSpec, reader: CacheReader) =>
  spec.engine === 'Postgres' && spec.placement !== 'External'
    ? reader.get(postgresClusters, metadata.name, namespaceOf(spec))
    : undefined;

function postgresOf(database: CoreDatabase, spec: DatabaseSpec, reader: CacheReader): Runs {
  const { name } = database.metadata;
  const job = installing(pgOperatorName, reader);
  const isInstalling = reader.get(helmCharts, pgOperatorName) !== undefined && job !== 'done' && job !== 'none';
  const server = postgresServer(database, spec, reader);
  if (lacksOperator(reader)) return { chart: 'none', pods: 'none' };
  if (!hasPostgres(reader) || (isInstalling && server === undefined))
    return job === 'failed' ? { chart: 'none', pods: 'failed' } : { chart: 'installing', pods: 'none' };
  if (!server) return { chart: 'none', pods: 'none' };
  const pods = podsOf(database, spec, reader);
  const isReadyNamed = (one: string) => pods.some((pod) => pod.metadata.name === one && isReadyPod(pod));
  const served = wasProvisioned(database);
  const isAlone = notProvidedBy(pods) !== '';
  const is = postgresRuns(server, {
    served,
    isAlone,
    isReadyPod: isReadyNamed,
    hasEndpoint: hasEndpoint(`${name}-rw`, namespaceOf(spec), reader),
  });
  return { chart: 'none', pods: is === 'starting' && podsSeen(undefined, pods) === 'failed' ? 'failed' : is };
}
