import type { Place, Stored } from '../store.ts';

/** Condition of a Pod, a Job or a Node. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly lastProbeTime?: string | null;
  readonly lastTransitionTime?: string;
}

export interface Container {
  readonly name: string;
  readonly image?: string;
  readonly imagePullPolicy?: string;
  readonly terminationMessagePolicy?: string;
  readonly stdin?: boolean;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly [field: string]: unknown }[];
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number; readonly protocol?: string }[];
  readonly resources?: { readonly requests?: Readonly<Record<string, string | number>> };
}

export type ContainerState =
  | { readonly waiting: { readonly reason: string; readonly message?: string } }
  | { readonly running: { readonly startedAt: string } }
  | { readonly terminated: Terminated };

export interface Terminated {
  readonly exitCode: number;
  readonly reason: string;
  readonly message?: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly containerID: string;
}

export interface ContainerStatus {
  readonly name: string;
  readonly image: string;
  readonly imageID: string;
  readonly containerID?: string;
  readonly ready: boolean;
  readonly started: boolean;
  readonly restartCount: number;
  readonly state: ContainerState;
  readonly lastState: ContainerState | Readonly<Record<string, never>>;
}

export interface Expression {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

/** Selects nodes. */
export interface NodeTerm {
  readonly matchExpressions?: readonly Expression[];
  readonly matchFields?: readonly Expression[];
}

/** Selects pods, and what of their nodes counts as the same place. */
export interface PodTerm {
  readonly topologyKey?: string;
  readonly namespaces?: readonly string[];
  readonly labelSelector?: {
    readonly matchLabels?: Readonly<Record<string, string>>;
    readonly matchExpressions?: readonly Expression[];
  };
}

interface PodTerms {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodTerm[];
}

export type RestartPolicy = 'Always' | 'OnFailure' | 'Never';

export interface Pod extends Stored {
  readonly spec?: {
    readonly nodeName?: string;
    readonly hostname?: string;
    readonly hostNetwork?: boolean;
    readonly restartPolicy?: RestartPolicy;
    readonly initContainers?: readonly Container[];
    readonly containers?: readonly Container[];
    readonly ephemeralContainers?: readonly Container[];
    readonly nodeSelector?: Readonly<Record<string, string>>;
    readonly tolerations?: readonly Toleration[];
    readonly volumes?: readonly {
      readonly name?: string;
      readonly persistentVolumeClaim?: { readonly claimName?: string };
    }[];
    readonly affinity?: {
      readonly nodeAffinity?: {
        readonly requiredDuringSchedulingIgnoredDuringExecution?: { readonly nodeSelectorTerms?: readonly NodeTerm[] };
        readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
          readonly weight?: number;
          readonly preference?: NodeTerm;
        }[];
      };
      readonly podAffinity?: PodTerms;
      readonly podAntiAffinity?: PodTerms;
    };
  };
  readonly status?: PodStatus;
}

export interface PodStatus {
  readonly phase?: string;
  readonly conditions?: readonly Condition[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly ephemeralContainerStatuses?: readonly ContainerStatus[];
  readonly [field: string]: unknown;
}

export interface Job extends Stored {
  readonly spec?: {
    readonly suspend?: boolean;
    readonly parallelism?: number;
    readonly completions?: number | null;
    readonly completionMode?: string;
    readonly backoffLimit?: number;
    readonly backoffLimitPerIndex?: number;
    readonly maxFailedIndexes?: number;
    readonly podFailurePolicy?: { readonly rules?: readonly FailureRule[] };
    readonly successPolicy?: {
      readonly rules?: readonly { readonly succeededIndexes?: string; readonly succeededCount?: number }[];
    };
    readonly activeDeadlineSeconds?: number;
    readonly ttlSecondsAfterFinished?: number;
    readonly template?: {
      readonly metadata?: Pick<Stored['metadata'], 'labels' | 'annotations'>;
      readonly spec?: Pod['spec'];
    };
  };
  readonly status?: JobStatus;
}

/** What one sort of failed pods means for a Job. */
export interface FailureRule {
  readonly action: string;
  readonly onExitCodes?: {
    readonly containerName?: string;
    readonly operator: string;
    readonly values?: readonly number[];
  };
  readonly onPodConditions?: readonly { readonly type: string; readonly status?: string }[];
}

export interface JobStatus {
  readonly active?: number;
  readonly ready?: number;
  readonly failed?: number;
  readonly succeeded?: number;
  readonly startTime?: string;
  readonly completionTime?: string;
  readonly completedIndexes?: string;
  readonly failedIndexes?: string;
  readonly conditions?: readonly Condition[];
  readonly [field: string]: unknown;
}

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
  readonly timeAdded?: string;
}

export interface Node extends Stored {
  readonly spec?: {
    readonly unschedulable?: boolean;
    readonly taints?: readonly Taint[];
    readonly podCIDR?: string;
    readonly podCIDRs?: readonly string[];
  };
  readonly status?: { readonly allocatable?: Readonly<Record<string, string | number>>; readonly [f: string]: unknown };
}

export const bucket = {
  pods: '/pods',
  nodes: '/nodes',
  configMaps: '/configmaps',
  secrets: '/secrets',
  jobs: 'batch/jobs',
  events: '/events',
} as const;

export const placeOf = (bucket: string, { metadata: { namespace = '', name } }: Stored): Place => ({
  bucket,
  namespace,
  name,
});

/** `namespace/name`, and back. */
export const keyOf = ({ metadata: { namespace = '', name } }: Stored): string => `${namespace}/${name}`;
export function placeAt(bucket: string, key: string): Place {
  const slash = key.indexOf('/');
  return { bucket, namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** The names of the claims that a pod mounts. */
export const claimsOf = ({ spec }: Pod): readonly string[] =>
  (spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []);

export const controllerOf = ({ metadata }: Stored) => metadata.ownerReferences?.find((owner) => owner.controller);

/** Whether a Pod has come to its end: its phase never changes again. */
export const isOver = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

/** The condition of a Job that says it came to its end. */
export const finish = ({ status }: Job): Condition | undefined =>
  status?.conditions?.find(({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True');

/** The conditions with one of them set; `lastTransitionTime` moves only when its verdict changes. */
export function withCondition(
  conditions: readonly Condition[] | undefined,
  next: Omit<Condition, 'lastTransitionTime'>,
  at: string,
): readonly Condition[] {
  const old = conditions?.find(({ type }) => type === next.type);
  const lastTransitionTime = old?.status === next.status ? (old.lastTransitionTime ?? at) : at;
  const set = { ...next, lastTransitionTime };
  return old ? (conditions ?? []).map((one) => (one === old ? set : one)) : [...(conditions ?? []), set];
}
