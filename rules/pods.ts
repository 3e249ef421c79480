import type { KubeObject } from '../crds/kind.ts';

interface Waiting {
  readonly state?: { readonly waiting?: { readonly reason?: string } };
}

/** The parts of a Deployment that show whether it runs. */
export interface DeploymentSeen extends KubeObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly template?: { readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> } };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
    readonly replicas?: number;
  };
}

/** The parts of a pod that show whether it started. */
export interface StartingPod extends KubeObject {
  readonly spec?: { readonly nodeName?: string };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly Waiting[];
    readonly initContainerStatuses?: readonly Waiting[];
  };
}

/** Waiting reasons of a container that cannot start. */
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

/** Whether a pod answers. */
export const isReadyPod = ({ status }: StartingPod): boolean =>
  status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;

const isGoing = ({ metadata }: KubeObject) => metadata.deletionTimestamp !== undefined;

/**
 * The state of a Deployment's pods: running once those of the newest template run, failed when every one has failed. A
 * Deployment that has served goes on running with fewer available pods than it should have, as long as one is.
 */
export function podsSeen(
  deployment: DeploymentSeen | undefined,
  pods: readonly StartingPod[],
  served: 'served' | 'unserved' = 'unserved',
): 'none' | 'starting' | 'failed' | 'running' {
  const staying = pods.filter((pod) => !isGoing(pod));
  if (deployment && runs(deployment, served)) return 'running';
  if (staying.length > 0) return staying.every(isFailed) ? 'failed' : 'starting';
  return 'none';
}

function runs({ metadata, spec, status = {} }: DeploymentSeen, served: 'served' | 'unserved'): boolean {
  const { observedGeneration = 0, updatedReplicas = 0, availableReplicas = 0, replicas = 0 } = status;
  const wanted = spec?.replicas ?? 1;
  const enough = served === 'served' ? Math.min(wanted, 1) : wanted;
  return (
    observedGeneration >= (metadata.generation ?? 0) &&
    updatedReplicas >= enough &&
    availableReplicas >= enough &&
    replicas === updatedReplicas
  );
}
