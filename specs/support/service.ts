import { type AppSpec, type CoreApp, coreApp } from '../../crds/coreApp.ts';
import { type KubeObject, typeMeta } from '../../crds/kind.ts';
import { annotation } from '../../crds/names.ts';
import { hashOf } from '../../rules/canonical.ts';
import { replicaSets } from '../../runtime/owned/addonKinds.ts';
import { workloadPods } from '../../runtime/controllers/capacity.ts';
import { apps } from '../../runtime/services/cluster/kinds.ts';
import { owned } from '../../runtime/owned/owned.ts';
import type { Resource } from '../../runtime/services/cluster/cluster.ts';
import { inSystem, pieceIn } from './project.ts';
import type { TestEnvironment } from './environment.ts';

export const serviceName = 'hello';
export const draft = { [annotation.deployWorkflow]: 'true', [annotation.pendingChanges]: 'created' };
export const image = 'nginx:1.27';

export const appIn = ({ cluster }: TestEnvironment): CoreApp | undefined =>
  cluster.all(apps).find(({ metadata }) => metadata.name === serviceName);

/** Writes the service as a person does: as it stands, but for these annotations and fields of its spec. */
export function putService(
  environment: TestEnvironment,
  spec: Partial<AppSpec> = {},
  annotations: Readonly<Record<string, string | null>> = {},
): void {
  const found = appIn(environment);
  const before: AppSpec = found?.spec ?? {
    project: 'shop',
    environment: 'production',
    source: { image },
    deploy: { enabled: true },
  };
  const generation = (found?.metadata.generation ?? 0) + (found && Object.keys(spec).length === 0 ? 0 : 1);
  const annotated = Object.entries({ ...found?.metadata.annotations, ...annotations });
  environment.cluster.put(apps, {
    ...typeMeta(coreApp),
    metadata: {
      ...(found?.metadata ?? inSystem(serviceName)),
      generation,
      annotations: Object.fromEntries(annotated.flatMap(([key, value]) => (value === null ? [] : [[key, value]]))),
    },
    spec: { ...before, ...spec },
    ...(found?.status === undefined ? {} : { status: found.status }),
  });
}

interface PodTemplate {
  readonly metadata: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly nodeSelector?: Readonly<Record<string, string>>;
    readonly tolerations?: readonly object[];
    readonly automountServiceAccountToken?: boolean;
    readonly enableServiceLinks?: boolean;
    readonly imagePullSecrets?: readonly { readonly name: string }[];
    readonly containers: readonly {
      readonly image: string;
      readonly ports?: readonly { readonly containerPort: number }[];
      readonly env?: readonly { readonly name: string; readonly value?: string }[];
      readonly envFrom?: readonly object[];
      readonly resources?: object;
    }[];
  };
}

/** A Deployment as far as a service writes it. */
export interface Deployed extends KubeObject {
  readonly status?: object;
  readonly spec: {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly strategy?: { readonly rollingUpdate?: { readonly maxSurge?: string | number } };
    readonly template: PodTemplate;
  };
}

const resources = [
  owned.configMaps,
  owned.secrets,
  owned.services,
  owned.ingresses,
  owned.deployments,
  owned.autoscalers,
];
const isOurs = ({ metadata: { labels } }: KubeObject) =>
  labels?.['core.platform/managed-by'] === 'core' && labels['core.platform/kind'] === 'CoreApp';

/** Everything of the service that stands, in any namespace. */
export const objectsIn = (environment: TestEnvironment): readonly KubeObject[] =>
  resources.flatMap((resource) => environment.cluster.all(resource).filter(isOurs));
/** The same by kind and name. */
export const standing = (environment: TestEnvironment): readonly string[] =>
  objectsIn(environment).map(({ kind, metadata }) => `${kind} ${metadata.name}`);

export const deploymentIn = (environment: TestEnvironment, namespace?: string): Deployed | undefined =>
  pieceIn(environment, owned.deployments as Resource<Deployed>, serviceName, namespace);

/** The template of its pods; throws without a Deployment. */
export function templateIn(environment: TestEnvironment): PodTemplate {
  const deployment = deploymentIn(environment);
  if (!deployment) throw new Error('no Deployment');
  return deployment.spec.template;
}

interface PodsAre {
  readonly container: object;
  readonly isReady?: boolean;
  readonly isAvailable?: boolean;
}
const ended = { lastState: { terminated: { exitCode: 1 } } };

/** How far the pods of a service are; a pod is ready as its container starts, and available some seconds later. */
const podsBy = {
  starts: { container: { state: { waiting: { reason: 'ContainerCreating' } } } },
  isReady: { container: { state: { running: {} } }, isReady: true },
  runs: { container: { state: { running: {} } }, isReady: true, isAvailable: true },
  /** Runs for a moment, after it has ended. */
  restarts: { container: { state: { running: {} }, ...ended }, isReady: true },
  fails: { container: { state: { waiting: { reason: 'CrashLoopBackOff' } }, ...ended } },
} as const satisfies Readonly<Record<string, PodsAre>>;

export type PodsDo = keyof typeof podsBy;

const drop = (environment: TestEnvironment, resource: Resource) => {
  for (const { metadata } of environment.cluster.all(resource).filter(isOurs))
    environment.cluster.drop(resource, metadata.name, metadata.namespace);
};

/** What the controllers of Kubernetes and a kubelet report of the pods of the newest template. */
export function kubelet(environment: TestEnvironment, does: PodsDo): void {
  const { container, isReady = false, isAvailable = false }: PodsAre = podsBy[does];
  const [deployment] = environment.cluster.all(owned.deployments as Resource<Deployed>).filter(isOurs);
  drop(environment, workloadPods);
  if (!deployment) return drop(environment, replicaSets);
  const { name, namespace = '', uid = '', generation = 0 } = deployment.metadata;
  const { replicas = 1, template } = deployment.spec;
  const set = `${name}-${hashOf(template.spec).slice(0, 8)}`;
  type Owner = NonNullable<KubeObject['metadata']['ownerReferences']>[number];
  const of = (owner: Owner, object: KubeObject): KubeObject => ({
    ...object,
    metadata: { ...object.metadata, namespace, labels: template.metadata.labels, ownerReferences: [owner] },
  });
  const sets = environment.cluster.all(replicaSets).filter(({ metadata }) => metadata.namespace === namespace);
  const known = sets.find(({ metadata }) => metadata.name === set);
  const live =
    known ??
    environment.cluster.put(
      replicaSets,
      of(
        { apiVersion: 'apps/v1', kind: 'Deployment', name, uid },
        {
          kind: 'ReplicaSet',
          metadata: { name: set, annotations: { 'deployment.kubernetes.io/revision': String(sets.length + 1) } },
        },
      ),
    );
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: set, uid: live.metadata.uid ?? '' };
  for (let index = 0; index < replicas; index++)
    environment.cluster.put(workloadPods, {
      ...of(owner, { kind: 'Pod', metadata: { name: `${set}-${index}` } }),
      spec: { nodeName: 'one', containers: template.spec.containers },
      status: {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
        containerStatuses: [{ name: 'app', ...container }],
      },
    } as KubeObject);
  const availableReplicas = isAvailable ? replicas : 0;
  environment.cluster.put(replicaSets, { ...live, status: { availableReplicas } });
  const status = { observedGeneration: generation, replicas, updatedReplicas: replicas, availableReplicas };
  environment.cluster.put(owned.deployments, { ...deployment, status } as KubeObject);
}
