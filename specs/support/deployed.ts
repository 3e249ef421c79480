import { type AppSpec, type CoreApp, coreApp } from '../../crds/coreApp.ts';
import type { CoreDeployment } from '../../crds/coreDeployment.ts';
import { type KubeObject, typeMeta } from '../../crds/kind.ts';
import { apps, deployments } from '../../runtime/services/cluster/kinds.ts';
import { owned } from '../../runtime/owned/owned.ts';
import type { Resource } from '../../runtime/services/cluster/cluster.ts';
import { inSystem, pieceIn } from './project.ts';
import type { TestEnvironment } from './environment.ts';

export const serviceName = 'web';
const draft = { 'core.platform/deploy-workflow': 'true', 'core.platform/pending-changes': 'created' };

export const appIn = ({ cluster }: TestEnvironment): CoreApp | undefined =>
  cluster.all(apps).find(({ metadata }) => metadata.name === serviceName);

/** Writes the service as a person does: as it stands, but for these annotations and fields of its spec. */
export function putService(
  environment: TestEnvironment,
  spec: Partial<AppSpec> = {},
  annotations: Readonly<Record<string, string>> = {},
): void {
  const found = appIn(environment);
  const before: AppSpec = found?.spec ?? {
    project: 'shop',
    environment: 'production',
    source: { image: 'nginx:1.27' },
    replicas: 2,
    deploy: { enabled: false },
  };
  environment.cluster.put(apps, {
    ...typeMeta(coreApp),
    metadata: {
      ...(found?.metadata ?? inSystem(serviceName)),
      generation: (found?.metadata.generation ?? 0) + 1,
      annotations: { ...(found?.metadata.annotations ?? draft), ...annotations },
    },
    spec: { ...before, ...spec },
    ...(found?.status === undefined ? {} : { status: found.status }),
  });
}

/** The records of deploys, without those of what runs. */
export const recordsIn = ({ cluster }: TestEnvironment): readonly CoreDeployment[] =>
  cluster.all(deployments).filter(({ metadata }) => !metadata.name.endsWith('-active'));

/** The record of what runs. */
export const activeIn = ({ cluster }: TestEnvironment): CoreDeployment | undefined =>
  cluster.all(deployments).find(({ metadata }) => metadata.name === `${serviceName}-active`);

interface Workload extends KubeObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: object;
}
const workloads = owned.deployments as Resource<Workload>;

export const workloadIn = (environment: TestEnvironment) => pieceIn(environment, workloads, serviceName);

/** What the Deployment controller of a cluster reports. */
export function available(environment: TestEnvironment, availableReplicas: number): void {
  const found = workloadIn(environment);
  if (!found) return;
  const { generation = 0 } = found.metadata;
  const replicas = found.spec?.replicas ?? 1;
  const status = { observedGeneration: generation, replicas, updatedReplicas: replicas, availableReplicas };
  environment.cluster.put(workloads, { ...found, status });
}

/** Whether the cluster has not yet done what the Deployment asks for. */
export function isBehind(environment: TestEnvironment): boolean {
  const found = workloadIn(environment);
  const { observedGeneration = 0 } = (found?.status ?? {}) as { readonly observedGeneration?: number };
  return found !== undefined && observedGeneration !== (found.metadata.generation ?? 0);
}
