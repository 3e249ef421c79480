import { annotation, label, managedBy } from '../../crds/names.ts';
import type { CoreApp } from '../../crds/coreApp.ts';
import { replicaSets } from '../../runtime/owned/addonKinds.ts';
import { workloadPods } from '../../runtime/controllers/capacity.ts';
import { apps } from '../../runtime/services/cluster/kinds.ts';
import { owned } from '../../runtime/owned/owned.ts';
import type { TestEnvironment } from './environment.ts';

/** A copy of a service as a Deployment controller and a kubelet make it. */
export interface Copy {
  readonly app: string;
  readonly name: string;
  readonly namespace?: string;
  /** Of the Deployment that its ReplicaSet names as owner; that of the service by default. */
  readonly deployment?: string;
  readonly isRunning?: boolean;
  /** Whether it names its controller at all. */
  readonly isOwned?: boolean;
}

export const container = 'app';
const labelsOf = (app: string) => ({
  [label.managedBy]: managedBy,
  [label.kind]: 'CoreApp',
  [label.name]: app,
  [label.app]: app,
});
const workloads = owned.deployments;

const appNamed = ({ cluster }: TestEnvironment, app: string): CoreApp => {
  const found = cluster.all(apps).find(({ metadata }) => metadata.name === app);
  if (!found) throw new Error(`no service ${app}`);
  return found;
};

/** The Deployment of a service, made where the operator has not made it. */
function deploymentFor(environment: TestEnvironment, app: string, namespace: string, name: string) {
  const found = environment.cluster
    .all(workloads)
    .find(({ metadata }) => metadata.name === name && metadata.namespace === namespace);
  if (found) return found;
  const { uid = '' } = appNamed(environment, app).metadata;
  return environment.cluster.put(workloads, {
    metadata: { name, namespace, labels: labelsOf(app), annotations: { [annotation.ownerUid]: uid } },
  });
}

/** Puts a copy with its ReplicaSet and its Deployment; returns its uid. */
export function putCopy(environment: TestEnvironment, copy: Copy): string {
  const { app, name, namespace = 'shop-production', deployment = app, isRunning = true, isOwned = true } = copy;
  const { metadata: above } = deploymentFor(environment, app, namespace, deployment);
  const controller = (kind: string, of: { readonly name: string; readonly uid?: string }) => [
    { apiVersion: 'apps/v1', kind, name: of.name, uid: of.uid ?? '', controller: true },
  ];
  const set = environment.cluster.put(replicaSets, {
    metadata: {
      name: `${deployment}-set`,
      namespace,
      labels: labelsOf(app),
      ownerReferences: controller('Deployment', above),
    },
  });
  const pod = environment.cluster.put(workloadPods, {
    metadata: {
      name,
      namespace,
      labels: labelsOf(app),
      ...(isOwned && { ownerReferences: controller('ReplicaSet', set.metadata) }),
    },
    spec: { initContainers: [{ name: 'init' }], containers: [{ name: container }, { name: 'ended' }] },
    status: {
      phase: isRunning ? 'Running' : 'Pending',
      containerStatuses: [
        { name: container, state: isRunning ? { running: {} } : { waiting: {} } },
        { name: 'ended', state: { terminated: {} } },
      ],
      initContainerStatuses: [{ name: 'init', state: { running: {} } }],
    },
  } as never);
  return pod.metadata.uid ?? '';
}
