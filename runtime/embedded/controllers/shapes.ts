import type { Stored } from '../store.ts';
import type { LabelSelector } from '../nodes/expression.ts';
import type { Condition, Job, Pod } from '../nodes/shapes.ts';

/** What the pods of a workload are made from. */
export interface PodTemplate {
  readonly metadata?: Pick<Stored['metadata'], 'labels' | 'annotations'>;
  readonly spec?: Pod['spec'];
}

export interface ReplicaSet extends Stored {
  readonly spec?: {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly selector?: LabelSelector;
    readonly template?: PodTemplate;
  };
  readonly status?: ReplicaSetStatus;
}

export interface ReplicaSetStatus {
  readonly replicas?: number;
  readonly fullyLabeledReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly observedGeneration?: number;
  readonly conditions?: readonly Condition[];
}

export interface DeploymentCondition extends Condition {
  readonly lastUpdateTime?: string;
}

export interface Deployment extends Stored {
  readonly spec?: {
    readonly replicas?: number;
    readonly selector?: LabelSelector;
    readonly template?: PodTemplate;
    readonly strategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly maxSurge?: number | string; readonly maxUnavailable?: number | string };
    };
    readonly minReadySeconds?: number;
    readonly revisionHistoryLimit?: number;
    readonly progressDeadlineSeconds?: number;
    readonly paused?: boolean;
  };
  readonly status?: DeploymentStatus;
}

export interface DeploymentStatus {
  readonly observedGeneration?: number;
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly unavailableReplicas?: number;
  readonly collisionCount?: number;
  readonly conditions?: readonly DeploymentCondition[];
}

export interface CronJob extends Stored {
  readonly spec?: {
    readonly schedule?: string;
    readonly timeZone?: string;
    readonly startingDeadlineSeconds?: number;
    readonly concurrencyPolicy?: string;
    readonly suspend?: boolean;
    readonly successfulJobsHistoryLimit?: number;
    readonly failedJobsHistoryLimit?: number;
    readonly jobTemplate?: {
      readonly metadata?: Pick<Stored['metadata'], 'labels' | 'annotations'>;
      readonly spec?: Job['spec'];
    };
  };
  readonly status?: CronJobStatus;
}

export interface CronJobStatus {
  readonly active?: readonly ObjectReference[];
  readonly lastScheduleTime?: string;
  readonly lastSuccessfulTime?: string;
}

export interface ObjectReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

export interface ServicePort {
  readonly name?: string;
  readonly protocol?: string;
  readonly port: number;
  readonly targetPort?: number | string;
  readonly nodePort?: number;
  readonly appProtocol?: string;
}

export interface Service extends Stored {
  readonly spec?: {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly selector?: Readonly<Record<string, string>>;
    readonly ports?: readonly ServicePort[];
    readonly publishNotReadyAddresses?: boolean;
  };
}

/** Where the objects of the controllers stand. */
export const shelves = {
  deployments: 'apps/deployments',
  replicaSets: 'apps/replicasets',
  statefulSets: 'apps/statefulsets',
  daemonSets: 'apps/daemonsets',
  cronJobs: 'batch/cronjobs',
  services: '/services',
  endpoints: '/endpoints',
  endpointSlices: 'discovery.k8s.io/endpointslices',
  claims: '/persistentvolumeclaims',
  volumes: '/persistentvolumes',
  storageClasses: 'storage.k8s.io/storageclasses',
  budgets: 'policy/poddisruptionbudgets',
  namespaces: '/namespaces',
} as const;
