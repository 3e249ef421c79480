import type { KubeObject } from '../crds/kind.ts';
import { backedOffFromEnds, type Crashes, isCrashing } from './crashing.ts';
import { isDeleting } from './deleting.ts';

interface TerminatedSeen {
  readonly exitCode?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly finishedAt?: string;
}

/** The parts of a container's status that show whether it runs, and how it ended last. */
export interface ContainerSeen {
  readonly name?: string;
  readonly image?: string;
  readonly restartCount?: number;
  readonly state?: {
    readonly waiting?: { readonly reason?: string; readonly message?: string };
    readonly running?: { readonly startedAt?: string };
    readonly terminated?: TerminatedSeen;
  };
  readonly lastState?: { readonly terminated?: TerminatedSeen };
}

interface ContainerSpec {
  readonly name?: string;
  readonly image?: string;
  readonly resources?: { readonly limits?: Readonly<Record<string, string | number>> };
}

/** A condition of a workload or a pod. */
export interface WorkloadCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

/** The parts of a Deployment that show whether it runs. */
export interface DeploymentSeen extends KubeObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly paused?: boolean;
    readonly template?: { readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> } };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
    readonly replicas?: number;
    readonly conditions?: readonly WorkloadCondition[];
  };
}

/** The parts of a pod that show whether it started. */
export interface StartingPod extends KubeObject {
  readonly spec?: {
    readonly nodeName?: string;
    readonly initContainers?: readonly ContainerSpec[];
    readonly containers?: readonly ContainerSpec[];
  };
  readonly status?: {
    readonly phase?: string;
    /** Why the whole pod ended, as `Evicted`. */
    readonly reason?: string;
    readonly message?: string;
    readonly conditions?: readonly WorkloadCondition[];
    readonly containerStatuses?: readonly ContainerSeen[];
    readonly initContainerStatuses?: readonly ContainerSeen[];
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

const waitsInVain = ({ state }: ContainerSeen): boolean => vain.includes(state?.waiting?.reason ?? '');

const isFailed = ({ status }: StartingPod): boolean =>
  status?.phase === 'Failed' ||
  [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].some(waitsInVain);

const readyCondition = ({ status }: StartingPod) =>
  status?.conditions?.find(({ type, status: is }) => type === 'Ready' && is === 'True');

/** Whether a pod is ready. */
export const isReadyPod = (pod: StartingPod): boolean => readyCondition(pod) !== undefined;

const hasEnded = ({ status }: StartingPod): boolean =>
  (status?.containerStatuses ?? []).some(
    ({ state, lastState }) => (state?.terminated ?? lastState?.terminated) !== undefined,
  );

const readySince = (pod: StartingPod): string => readyCondition(pod)?.lastTransitionTime ?? '';

/** The pods that the cluster counts as available: of the ready ones, those ready for the longest time. */
const availableAmong = (pods: readonly StartingPod[], count: number): readonly StartingPod[] =>
  pods
    .filter(isReadyPod)
    .toSorted((one, other) => (readySince(one) < readySince(other) ? -1 : 1))
    .slice(0, count);

/** Whether a pod crashes and no other one is ready. */
export const isUnsteady = (pods: readonly StartingPod[], crashes: Crashes): boolean =>
  pods.some((pod) => isCrashing(pod, crashes)) && !pods.some((pod) => isReadyPod(pod) && !isCrashing(pod, crashes));

/** Further input about a Deployment and its pods. */
export interface PodsContext {
  /** It has served: it counts as running while at least one pod is available. */
  readonly served?: boolean;
  /** The number of available pods; a terminated pod that is not available counts as failed. Null: none does. */
  readonly available?: number | null;
  /** For copies that were available: one that crashes counts as failed, even while it runs. Null: none does. */
  readonly crashes?: Crashes | null;
}

/**
 * The state of a Deployment's pods: running once those of the newest template run, failed when every one has failed.
 */
export function podsSeen(
  deployment: DeploymentSeen | undefined,
  pods: readonly StartingPod[],
  { served = false, available = null, crashes = null }: PodsContext = {},
): 'none' | 'starting' | 'failed' | 'running' {
  const staying = pods.filter((pod) => !isDeleting(pod));
  // The pods tell of an end before the Deployment does.
  const hasServing = staying.length === 0 || staying.some(isReadyPod);
  const isHeldBack = crashes !== null && (!hasServing || isUnsteady(staying, crashes));
  if (deployment && runs(deployment, served) && !isHeldBack) return 'running';
  if (staying.length === 0) return 'none';
  const lasting = available === null ? staying : availableAmong(staying, available);
  const isVain = (pod: StartingPod) =>
    crashes === null
      ? // Between restarts a crashing container runs, and its pod is ready for a while.
        isFailed(pod) || (hasEnded(pod) && !lasting.includes(pod))
      : isFailed(pod) || isCrashing(pod, crashes, backedOffFromEnds);
  return staying.every(isVain) ? 'failed' : 'starting';
}

function runs({ metadata, spec, status = {} }: DeploymentSeen, served: boolean): boolean {
  const { observedGeneration = 0, updatedReplicas = 0, availableReplicas = 0, replicas = 0 } = status;
  const wanted = spec?.replicas ?? 1;
  const enough = served ? Math.min(wanted, 1) : wanted;
  return (
    observedGeneration >= (metadata.generation ?? 0) &&
    updatedReplicas >= enough &&
    availableReplicas >= enough &&
    replicas === updatedReplicas
  );
}
