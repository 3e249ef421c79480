import type { KubeObject } from '../../../crds/kind.ts';
import { workloadPods } from '../../../runtime/controllers/capacity.ts';
import { replicaSets } from '../../../runtime/owned/addonKinds.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import type { Resource } from '../../../runtime/services/cluster/cluster.ts';
import type { TestEnvironment } from '../../support/environment.ts';
import type { Deployed } from '../../support/service.ts';

/** How a copy of a service is: its container, and whether its Deployment counts it as available. */
export interface Copy {
  readonly container: object;
  readonly isAvailable: boolean;
}

type WithStatus = KubeObject & { readonly spec?: object; readonly status?: object };

/** What the controllers of Kubernetes and a kubelet report of the one copy of each service that has a Deployment. */
export function putCopies({ cluster }: TestEnvironment, copyOf: (service: string) => Copy): void {
  for (const deployment of cluster.all(owned.deployments as Resource<Deployed>)) {
    const { name, namespace = '', uid = '', generation = 1 } = deployment.metadata;
    const { template } = deployment.spec;
    const { container, isAvailable } = copyOf(name);
    const metadata = { namespace, labels: template.metadata.labels };
    const available = isAvailable ? 1 : 0;
    const set = cluster.put<WithStatus>(replicaSets, {
      kind: 'ReplicaSet',
      metadata: {
        ...metadata,
        name: `${name}-1`,
        annotations: { 'deployment.kubernetes.io/revision': '1' },
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name, uid }],
      },
      status: { availableReplicas: available },
    });
    cluster.put<WithStatus>(workloadPods, {
      kind: 'Pod',
      metadata: {
        ...metadata,
        name: `${name}-1-1`,
        ownerReferences: [
          { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: set.metadata.name, uid: set.metadata.uid ?? '' },
        ],
      },
      spec: { nodeName: 'one', containers: template.spec.containers },
      status: {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: isAvailable ? 'True' : 'False' }],
        containerStatuses: [{ name: 'app', ...container }],
      },
    });
    cluster.put<WithStatus>(owned.deployments, {
      ...deployment,
      status: { observedGeneration: generation, replicas: 1, updatedReplicas: 1, availableReplicas: available },
    });
  }
}

export const runs: Copy = {
  container: { restartCount: 0, state: { running: { startedAt: '2027-01-01T00:00:00Z' } } },
  isAvailable: true,
};
