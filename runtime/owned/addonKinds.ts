import type { KubeObject } from '../../crds/kind.ts';
import type { ServerClaim } from '../../rules/cause/server.ts';
import type { PostgresSeen } from '../../rules/database/postgres.ts';
import { byLabel, type Resource } from '../services/cluster/cluster.ts';
import type { Condition } from '../../rules/condition.ts';
import type { Job } from '../../crds/builtIn.ts';
import type { WorkloadCondition } from '../../rules/pods.ts';
import { ofPods, ownedKind } from './kinds.ts';

/** The storage classes of the cluster. */
export const storageClasses: Resource = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  namespaced: false,
  cached: {},
};

/** A claim, reduced to its size and whether it is bound to a volume. */
export interface ClaimSeen extends KubeObject {
  readonly spec?: { readonly resources?: { readonly requests?: { readonly storage?: string } } };
  readonly status?: { readonly phase?: string };
}

/** A claim, as causes name it. */
export const claimSeen = ({ metadata: { name, namespace = '' }, status }: ClaimSeen): ServerClaim => ({
  on: { kind: 'PersistentVolumeClaim', name, namespace },
  isBound: status?.phase === 'Bound',
});

/** The label that charts give everything of a release. */
export const instanceLabel = 'app.kubernetes.io/instance';

/** The claims of charts, which do not carry our labels. */
export const chartClaims: Resource<ClaimSeen> = {
  group: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  namespaced: true,
  cached: { everywhere: true, labelSelector: instanceLabel, indexes: [byLabel(instanceLabel)] },
};

/** The servers of Postgres databases. */
export const postgresClusters = ownedKind<KubeObject & PostgresSeen>({
  group: 'postgresql.cnpg.io',
  kind: 'Cluster',
  plural: 'clusters',
});

/** Charts to install. */
export const helmCharts = ownedKind<HelmChart>({ group: 'helm.cattle.io', kind: 'HelmChart', plural: 'helmcharts' });

export interface ReplicaSet extends KubeObject {
  readonly metadata: KubeObject['metadata'] & { readonly ownerReferences?: readonly { readonly uid: string }[] };
  readonly status?: { readonly availableReplicas?: number; readonly conditions?: readonly WorkloadCondition[] };
}

/** The ReplicaSets of Core's Deployments, which carry the labels of their pods. */
export const replicaSets = ownedKind<ReplicaSet>({ group: 'apps', kind: 'ReplicaSet', plural: 'replicasets' });

/** The hosts whose requests the serverless add-on accepts. */
export const interceptorRoutes = ownedKind({
  group: 'http.keda.sh',
  version: 'v1beta1',
  kind: 'InterceptorRoute',
  plural: 'interceptorroutes',
});

export interface ScaledObject extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** The workloads that it scales. */
export const scaledObjects = ownedKind<ScaledObject>({
  group: 'keda.sh',
  version: 'v1alpha1',
  kind: 'ScaledObject',
  plural: 'scaledobjects',
});

/** The Jobs of databases: dumps, restores, and those of the Postgres operator that recover a server. */
export const backupJobs = ownedKind<Job>({ group: 'batch', kind: 'Job', plural: 'jobs', ...ofPods });

export const scheduledBackups = ownedKind({
  group: 'postgresql.cnpg.io',
  kind: 'ScheduledBackup',
  plural: 'scheduledbackups',
});

interface Backup extends KubeObject {
  readonly status?: { readonly phase?: string };
}

export const postgresBackups = ownedKind<Backup>({
  group: 'postgresql.cnpg.io',
  kind: 'Backup',
  plural: 'backups',
});

interface HelmChart extends KubeObject {
  readonly spec?: { readonly valuesContent?: string };
}
