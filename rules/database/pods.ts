import type { KubeObject } from '../../crds/kind.ts';

interface Waiting {
  readonly state?: { readonly waiting?: { readonly reason?: string } };
}

/** A Deployment, as far as it tells whether it runs. */
export interface DeploymentSeen extends KubeObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
    readonly replicas?: number;
  };
}

/** A pod, as far as it tells whether it came up. */
export interface StartingPod extends KubeObject {
  readonly spec?: { readonly nodeName?: string };
  readonly status?: {
    readonly phase?: string;
    readonly containerStatuses?: readonly Waiting[];
    readonly initContainerStatuses?: readonly Waiting[];
  };
}

/** Reasons of a container that waits in vain. */
const vain: readonly string[] = [
  'CrashLoopBackOff',
  'ImagePullBackOff',
  'ErrImagePull',
  'InvalidImageName',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
];

const isFailed = ({ status }: StartingPod): boolean =>
  status?.phase === 'Failed' ||
  [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].some(({ state }) =>
    vain.includes(state?.waiting?.reason ?? ''),
  );

const isGoing = ({ metadata }: KubeObject) => metadata.deletionTimestamp !== undefined;

/** How the pods of a Deployment stand: they run once those of the newest template do, and failed when every one has. */
export function podsSeen(
  deployment: DeploymentSeen | undefined,
  pods: readonly StartingPod[],
): 'none' | 'starting' | 'failed' | 'running' {
  const staying = pods.filter((pod) => !isGoing(pod));
  if (deployment && runs(deployment)) return 'running';
  if (staying.length > 0) return staying.every(isFailed) ? 'failed' : 'starting';
  return 'none';
}

function runs({ metadata, spec, status = {} }: DeploymentSeen): boolean {
  const { observedGeneration = 0, updatedReplicas = 0, availableReplicas = 0, replicas = 0 } = status;
  const wanted = spec?.replicas ?? 1;
  return (
    observedGeneration >= (metadata.generation ?? 0) &&
    updatedReplicas >= wanted &&
    availableReplicas >= wanted &&
    replicas === updatedReplicas
  );
}
