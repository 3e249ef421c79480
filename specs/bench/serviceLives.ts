import type { KubeObject } from '../../crds/kind.ts';
import { owned } from '../../runtime/owned/owned.ts';
import type { ClusterShape } from '../../runtime/services/cluster.ts';

/** What the Deployment controller tells once the one pod of the newest template runs. */
export const deploymentRuns = (cluster: ClusterShape, { metadata }: KubeObject) =>
  cluster.patchStatus(owned.deployments, metadata, {
    observedGeneration: metadata.generation ?? 1,
    replicas: 1,
    updatedReplicas: 1,
    availableReplicas: 1,
    readyReplicas: 1,
  });
