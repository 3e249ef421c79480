import { coreDatabase, type CoreDatabase, type DatabaseSpec } from '../../crds/coreDatabase.ts';
import { coreHAReadiness } from '../../crds/coreHAReadiness.ts';
import { coreProject } from '../../crds/coreProject.ts';
import { type KubeObject, typeMeta } from '../../crds/kind.ts';
import { label } from '../../crds/names.ts';
import { clusterNodes, unmanagedPods, workloadPods } from '../../runtime/controllers/capacity.ts';
import { databases, haReadiness, projects } from '../../runtime/services/cluster/kinds.ts';
import { owned } from '../../runtime/owned/owned.ts';
import { namespaces } from '../../runtime/services/cluster/resources.ts';
import type { Resource } from '../../runtime/services/cluster/cluster.ts';
import { inSystem, pieceIn, putCluster } from './project.ts';
import type { TestEnvironment } from './environment.ts';

export const databaseName = 'orders';
export const workflow = { 'core.platform/deploy-workflow': 'true' };
const at = '2026-01-01T00:00:00Z';

/** What a database needs around it: a cluster, a project that is Ready, and a node with room. */
export function putDatabaseEnvironment(environment: TestEnvironment): void {
  putCluster(environment);
  putReadyProject(environment, 'True');
  putNode(environment);
  environment.cluster.put(namespaces, { metadata: { name: 'shop-production' } });
}

export function putReadyProject({ cluster }: TestEnvironment, status: 'True' | 'False'): void {
  cluster.put(projects, {
    ...typeMeta(coreProject),
    metadata: inSystem('shop'),
    spec: { clusterRef: { name: 'local' }, environments: ['production'] },
    status: { conditions: [{ type: 'Ready', status, reason: 'ProjectReady', message: '', lastTransitionTime: at }] },
  });
}

export const putNode = ({ cluster }: TestEnvironment, cpu = '4', pods = '110'): void =>
  void cluster.put(clusterNodes, {
    metadata: { name: 'one', labels: { 'core.platform/region': 'local' } },
    status: { allocatable: { cpu, memory: '8Gi', pods }, conditions: [{ type: 'Ready', status: 'True' }] },
  });

/** A pod of the system that is bound to that node. */
export const putSystemPod = (
  { cluster }: TestEnvironment,
  name: string,
  phase = 'Running',
  spec = { nodeName: 'one' },
): void => void cluster.put(unmanagedPods, { metadata: { name, namespace: 'kube-system' }, spec, status: { phase } });

/** The report of the readiness check for high availability. */
export const putReport = ({ cluster }: TestEnvironment, healthyNodes: number): void =>
  void cluster.put(haReadiness, {
    ...typeMeta(coreHAReadiness),
    metadata: inSystem('platform'),
    spec: {},
    status: {
      healthyNodes,
      conditions: [{ type: 'Ready', status: 'True', reason: 'Checked', message: '', lastTransitionTime: at }],
    },
  });

export const databaseIn = ({ cluster }: TestEnvironment): CoreDatabase | undefined =>
  cluster.all(databases).find(({ metadata }) => metadata.name === databaseName);

/** Writes the database as a person does: as it stands, but for these annotations and fields of its spec. */
export function putDatabase(
  environment: TestEnvironment,
  spec: Partial<DatabaseSpec> = {},
  annotations: Readonly<Record<string, string | null>> = {},
): void {
  const found = databaseIn(environment);
  const before: DatabaseSpec = found?.spec ?? {
    project: 'shop',
    environment: 'production',
    engine: 'SQLite',
    placement: 'InCluster',
    highAvailability: false,
    version: '16',
    instances: 1,
    deploy: { enabled: false },
  };
  const generation = (found?.metadata.generation ?? 0) + (found && Object.keys(spec).length === 0 ? 0 : 1);
  const annotated = Object.entries({ ...found?.metadata.annotations, ...annotations });
  environment.cluster.put(databases, {
    ...typeMeta(coreDatabase),
    metadata: {
      ...(found?.metadata ?? inSystem(databaseName)),
      generation,
      annotations: Object.fromEntries(annotated.flatMap(([key, value]) => (value === null ? [] : [[key, value]]))),
    },
    spec: { ...before, ...spec },
    ...(found?.status === undefined ? {} : { status: found.status }),
  });
}

interface Deployed extends KubeObject {
  readonly status?: object;
  readonly spec?: {
    readonly template?: {
      readonly metadata?: {
        readonly labels?: Readonly<Record<string, string>>;
        readonly annotations?: Readonly<Record<string, string>>;
      };
    };
  };
}

export const deploymentIn = (environment: TestEnvironment) =>
  pieceIn(environment, owned.deployments as Resource<Deployed>, databaseName);
export const serviceIn = (environment: TestEnvironment) => pieceIn(environment, owned.services, databaseName);
export const claimIn = (environment: TestEnvironment) => pieceIn(environment, owned.claims, `${databaseName}-sqlite`);
export const secretIn = (environment: TestEnvironment, of: 'connection' | 'bootstrap') =>
  pieceIn(environment, owned.secrets, `${databaseName}-${of}`);

/** The text of one key of a Secret. */
export const textIn = (environment: TestEnvironment, of: 'connection' | 'bootstrap', key: string): string =>
  Buffer.from(secretIn(environment, of)?.data?.[key] ?? '', 'base64').toString();

/** Everything of the database that stands, by kind. */
export const standing = (environment: TestEnvironment): readonly string[] =>
  [
    deploymentIn(environment),
    serviceIn(environment),
    claimIn(environment),
    secretIn(environment, 'bootstrap'),
    secretIn(environment, 'connection'),
  ].flatMap((object) => (object ? [`${object.kind} ${object.metadata.name}`] : []));

/** The pods of databases. */
export const podsIn = ({ cluster }: TestEnvironment): readonly KubeObject[] =>
  cluster.all(workloadPods).filter(({ metadata: { labels } }) => labels?.[label.kind] === 'CoreDatabase');

/** What the volumes, the Deployment controller and a kubelet do: whether its pod runs, fails, or is just starting. */
export function kubelet(environment: TestEnvironment, does: 'runs' | 'fails' | 'starts'): void {
  const deployment = deploymentIn(environment);
  if (!deployment) {
    for (const { metadata } of podsIn(environment))
      environment.cluster.drop(workloadPods, metadata.name, metadata.namespace);
    return;
  }
  const { name, namespace, generation = 0 } = deployment.metadata;
  const claim = claimIn(environment);
  if (claim) environment.cluster.put(owned.claims, { ...claim, status: { phase: 'Bound' } } as KubeObject);
  const ready = does === 'runs' ? 1 : 0;
  const waiting = does === 'fails' ? { state: { waiting: { reason: 'CrashLoopBackOff' } } } : { state: {} };
  environment.cluster.put(workloadPods, {
    kind: 'Pod',
    metadata: {
      name: `${name}-1`,
      ...(namespace === undefined ? {} : { namespace }),
      labels: deployment.spec?.template?.metadata?.labels ?? {},
    },
    spec: { nodeName: 'one' },
    status: { phase: 'Running', containerStatuses: [{ name: 'rqlite', ...waiting }] },
  } as KubeObject);
  const deployed: Deployed = {
    ...deployment,
    status: {
      observedGeneration: generation,
      replicas: 1,
      updatedReplicas: 1,
      availableReplicas: ready,
      readyReplicas: ready,
    },
  };
  environment.cluster.put(owned.deployments, deployed);
}
