import type { KubeObject } from '../../crds/kind.ts';
import {
  chartJobs,
  definitions,
  serverEndpoints,
  serverLabel,
  serviceNameLabel,
} from '../../runtime/controllers/database/kinds.ts';
import { owned } from '../../runtime/owned/owned.ts';
import { workloadPods } from '../../runtime/controllers/capacity.ts';
import type { Resource } from '../../runtime/services/cluster/cluster.ts';
import { databaseName } from './database.ts';
import { pieceIn } from './project.ts';
import type { TestEnvironment } from './environment.ts';
import {
  chartClaims,
  helmCharts,
  postgresBackups,
  postgresClusters,
  scheduledBackups,
} from '../../runtime/owned/addonKinds.ts';

const namespace = 'shop-production';
export const labels = {
  'core.platform/managed-by': 'core',
  'core.platform/kind': 'CoreDatabase',
  'core.platform/name': databaseName,
};

/** The release of a chart, as it was asked for. */
interface Chart extends KubeObject {
  readonly spec: { readonly valuesContent?: string; readonly targetNamespace?: string };
}

export const chartIn = ({ cluster }: TestEnvironment, name: string): Chart | undefined =>
  cluster.all(helmCharts).find(({ metadata }) => metadata.name === name) as Chart | undefined;
export const serverIn = (environment: TestEnvironment) => pieceIn(environment, postgresClusters, databaseName);
export const valuesIn = (environment: TestEnvironment, name: string) =>
  JSON.parse(chartIn(environment, name)?.spec.valuesContent ?? '{}') as Record<string, never>;

/** What the Job of a chart has come to. */
export const chartJob = ({ cluster }: TestEnvironment, chart: string, is: 'Complete' | 'Failed' | 'running'): void =>
  void cluster.put(chartJobs, {
    metadata: {
      name: `helm-install-${chart}`,
      namespace: 'core-system',
      labels: { 'helmcharts.helm.cattle.io/chart': chart },
    },
    spec: {},
    status: is === 'running' ? {} : { conditions: [{ type: is, status: 'True' }] },
  });

/** Every kind that the operator for Postgres brings and Core knows: its chart installs all of them. */
const postgresKinds = [postgresClusters, scheduledBackups, postgresBackups];
const definitionName = ({ group, plural }: Resource) => `${plural}.${group}`;

/** The operator for Postgres is there. */
export function putDefinition({ cluster }: TestEnvironment): void {
  for (const kind of postgresKinds) cluster.put(definitions, { metadata: { name: definitionName(kind) } });
}

/** The definitions go, as when their operator is uninstalled, and with them every server and its backups. */
export function dropDefinition({ cluster }: TestEnvironment): void {
  for (const kind of postgresKinds) {
    for (const { metadata } of cluster.all(kind)) cluster.drop(kind, metadata.name, metadata.namespace);
    const name = definitionName(kind);
    if (cluster.all(definitions).some(({ metadata }) => metadata.name === name)) cluster.drop(definitions, name);
  }
}

/** A pod of a server, that answers or cannot start. */
export const serverPod = ({ cluster }: TestEnvironment, name: string, is: 'ready' | 'starting' | 'crashing'): void =>
  void cluster.put(workloadPods, {
    kind: 'Pod',
    metadata: { name, namespace, labels: { ...labels, 'app.kubernetes.io/instance': `core-mysql-${databaseName}` } },
    spec: { nodeName: 'one' },
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: is === 'ready' ? 'True' : 'False' }],
      containerStatuses: [
        { name: 'server', state: is === 'crashing' ? { waiting: { reason: 'CrashLoopBackOff' } } : {} },
      ],
    },
  } as never);

/** A volume that the chart of MySQL made. */
export const releasedClaim = ({ cluster }: TestEnvironment, size: string): void =>
  void cluster.put(chartClaims, {
    metadata: {
      name: `data-core-mysql-${databaseName}-0`,
      namespace,
      labels: { 'app.kubernetes.io/instance': `core-mysql-${databaseName}` },
    },
    spec: { resources: { requests: { storage: size } } },
    status: { phase: 'Bound' },
  });

export const releasedClaims = ({ cluster }: TestEnvironment) =>
  cluster
    .all(chartClaims)
    .filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/instance'] !== undefined)
    .map(({ spec }) => spec?.resources?.requests?.storage);

/** A volume that the operator for Postgres made for the server. */
export function serverClaim(environment: TestEnvironment, name: string, finalizers: readonly string[] = []): void {
  const uid = serverIn(environment)?.metadata.uid ?? '';
  const owner = { apiVersion: 'postgresql.cnpg.io/v1', kind: 'Cluster', name: databaseName, uid, controller: true };
  environment.cluster.put(owned.claims, {
    metadata: {
      name,
      namespace,
      labels,
      finalizers,
      ownerReferences: [owner],
    },
  });
}

interface PrimaryStatus {
  readonly currentPrimary?: string;
  readonly targetPrimary?: string;
}

/** What the operator for Postgres tells of the server. A primary that is not being replaced is reached by the Service. */
export function serverMessage(
  environment: TestEnvironment,
  status: PrimaryStatus & Readonly<Record<string, unknown>>,
): void {
  const server = serverIn(environment);
  if (!server) return;
  const { currentPrimary, targetPrimary = currentPrimary } = status;
  const image = server.spec?.imageName ?? '';
  const pgDataImageInfo = { image, majorVersion: Number(image.split(':').at(-1)) };
  environment.cluster.put(postgresClusters, {
    ...server,
    status: { ...(currentPrimary && { targetPrimary, pgDataImageInfo }), ...status },
  });
  writesLead(environment, currentPrimary !== undefined && currentPrimary === targetPrimary);
}

/** Whether the Service for writes leads to a primary. */
export const writesLead = ({ cluster }: TestEnvironment, leads: boolean): void =>
  void cluster.put(serverEndpoints, {
    metadata: {
      name: `${databaseName}-rw-x`,
      namespace,
      labels: { ...labels, [serverLabel]: databaseName, [serviceNameLabel]: `${databaseName}-rw` },
    },
    addressType: 'IPv4',
    endpoints: leads ? [{ addresses: ['10.0.0.1'], conditions: { ready: true } }] : [],
  } as KubeObject);
