import { key } from '../../../crds/names.ts';
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
  readonly args?: readonly string[];
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
}

export type RestartPolicy = 'Always' | 'OnFailure' | 'Never';

export interface Pod extends Stored {
  readonly spec?: {
    readonly nodeName?: string;
    readonly restartPolicy?: RestartPolicy;
    readonly initContainers?: readonly Container[];
    readonly containers?: readonly Container[];
    readonly nodeSelector?: Readonly<Record<string, string>>;
    readonly tolerations?: readonly Toleration[];
    readonly affinity?: {
      readonly nodeAffinity?: {
        readonly requiredDuringSchedulingIgnoredDuringExecution?: {
          readonly nodeSelectorTerms?: readonly {
            readonly matchExpressions?: readonly Expression[];
            readonly matchFields?: readonly Expression[];
          }[];
        };
      };
    };
  };
  readonly status?: PodStatus;
}

export interface PodStatus {
  readonly phase?: string;
  readonly conditions?: readonly Condition[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly [field: string]: unknown;
}

export interface Job extends Stored {
  readonly spec?: {
    readonly suspend?: boolean;
    readonly parallelism?: number;
    readonly completions?: number | null;
    readonly backoffLimit?: number;
    readonly activeDeadlineSeconds?: number;
    readonly ttlSecondsAfterFinished?: number;
    readonly template?: {
      readonly metadata?: Pick<Stored['metadata'], 'labels' | 'annotations'>;
      readonly spec?: Pod['spec'];
    };
  };
  readonly status?: JobStatus;
}

export interface JobStatus {
  readonly active?: number;
  readonly ready?: number;
  readonly failed?: number;
  readonly succeeded?: number;
  readonly startTime?: string;
  readonly completionTime?: string;
  readonly conditions?: readonly Condition[];
  readonly [field: string]: unknown;
}

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

export interface Node extends Stored {
  readonly spec?: { readonly unschedulable?: boolean; readonly taints?: readonly Taint[] };
  readonly status?: { readonly allocatable?: Readonly<Record<string, string | number>>; readonly [f: string]: unknown };
}

export const bucket = {
  pods: '/pods',
  nodes: '/nodes',
  configMaps: '/configmaps',
  jobs: 'batch/jobs',
  events: '/events',
} as const;

/** What marks a Node as ours. */
export const simulatedLabel = key('simulated');

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
