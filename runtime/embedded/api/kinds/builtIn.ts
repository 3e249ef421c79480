import type { ResourceType, Subresource } from './type.ts';

interface Row {
  readonly group: string;
  readonly version?: string;
  readonly plural: string;
  readonly kind: string;
  readonly singular?: string;
  readonly short?: readonly string[];
  readonly cluster?: true;
  readonly categories?: readonly string[];
  readonly subresources?: readonly Subresource[];
  /** Where the objects stand when another group serves the same ones. */
  readonly bucket?: string;
}

const all = ['all'] as const;
const status = ['status'] as const;
const scalable = ['status', 'scale'] as const;
const rbac = 'rbac.authorization.k8s.io';

const rows: readonly Row[] = [
  {
    group: '',
    plural: 'namespaces',
    kind: 'Namespace',
    short: ['ns'],
    cluster: true,
    subresources: ['status', 'finalize'],
  },
  { group: '', plural: 'nodes', kind: 'Node', short: ['no'], cluster: true, subresources: status },
  {
    group: '',
    plural: 'persistentvolumes',
    kind: 'PersistentVolume',
    short: ['pv'],
    cluster: true,
    subresources: status,
  },
  {
    group: '',
    plural: 'pods',
    kind: 'Pod',
    short: ['po'],
    categories: all,
    subresources: ['status', 'log'],
  },
  { group: '', plural: 'secrets', kind: 'Secret' },
  { group: '', plural: 'configmaps', kind: 'ConfigMap', short: ['cm'] },
  { group: '', plural: 'services', kind: 'Service', short: ['svc'], categories: all, subresources: status },
  { group: '', plural: 'endpoints', kind: 'Endpoints', singular: 'endpoints', short: ['ep'] },
  { group: '', plural: 'serviceaccounts', kind: 'ServiceAccount', short: ['sa'] },
  { group: '', plural: 'events', kind: 'Event', short: ['ev'] },
  { group: '', plural: 'persistentvolumeclaims', kind: 'PersistentVolumeClaim', short: ['pvc'], subresources: status },
  { group: '', plural: 'resourcequotas', kind: 'ResourceQuota', short: ['quota'], subresources: status },
  { group: '', plural: 'limitranges', kind: 'LimitRange', short: ['limits'] },
  {
    group: 'apps',
    plural: 'deployments',
    kind: 'Deployment',
    short: ['deploy'],
    categories: all,
    subresources: scalable,
  },
  { group: 'apps', plural: 'replicasets', kind: 'ReplicaSet', short: ['rs'], categories: all, subresources: scalable },
  {
    group: 'apps',
    plural: 'statefulsets',
    kind: 'StatefulSet',
    short: ['sts'],
    categories: all,
    subresources: scalable,
  },
  { group: 'apps', plural: 'daemonsets', kind: 'DaemonSet', short: ['ds'], categories: all, subresources: status },
  { group: 'batch', plural: 'jobs', kind: 'Job', categories: all, subresources: status },
  { group: 'batch', plural: 'cronjobs', kind: 'CronJob', short: ['cj'], categories: all, subresources: status },
  {
    group: 'autoscaling',
    version: 'v2',
    plural: 'horizontalpodautoscalers',
    kind: 'HorizontalPodAutoscaler',
    short: ['hpa'],
    categories: all,
    subresources: status,
  },
  { group: 'coordination.k8s.io', plural: 'leases', kind: 'Lease' },
  { group: 'events.k8s.io', plural: 'events', kind: 'Event', short: ['ev'], bucket: '/events' },
  { group: 'discovery.k8s.io', plural: 'endpointslices', kind: 'EndpointSlice' },
  {
    group: 'networking.k8s.io',
    plural: 'ingresses',
    kind: 'Ingress',
    singular: 'ingress',
    short: ['ing'],
    subresources: status,
  },
  {
    group: 'networking.k8s.io',
    plural: 'ingressclasses',
    kind: 'IngressClass',
    singular: 'ingressclass',
    cluster: true,
  },
  {
    group: 'networking.k8s.io',
    plural: 'networkpolicies',
    kind: 'NetworkPolicy',
    singular: 'networkpolicy',
    short: ['netpol'],
  },
  {
    group: 'policy',
    plural: 'poddisruptionbudgets',
    kind: 'PodDisruptionBudget',
    short: ['pdb'],
    subresources: status,
  },
  {
    group: 'storage.k8s.io',
    plural: 'storageclasses',
    kind: 'StorageClass',
    singular: 'storageclass',
    short: ['sc'],
    cluster: true,
  },
  {
    group: 'scheduling.k8s.io',
    plural: 'priorityclasses',
    kind: 'PriorityClass',
    singular: 'priorityclass',
    short: ['pc'],
    cluster: true,
  },
  { group: rbac, plural: 'roles', kind: 'Role' },
  { group: rbac, plural: 'rolebindings', kind: 'RoleBinding' },
  { group: rbac, plural: 'clusterroles', kind: 'ClusterRole', cluster: true },
  { group: rbac, plural: 'clusterrolebindings', kind: 'ClusterRoleBinding', cluster: true },
  {
    group: 'apiextensions.k8s.io',
    plural: 'customresourcedefinitions',
    kind: 'CustomResourceDefinition',
    short: ['crd', 'crds'],
    cluster: true,
    categories: ['api-extensions'],
    subresources: status,
  },
];

/** The kinds that need no CustomResourceDefinition. */
export const builtIn: readonly ResourceType[] = rows.map((row) => ({
  group: row.group,
  version: row.version ?? 'v1',
  plural: row.plural,
  singular: row.singular ?? row.kind.toLowerCase(),
  kind: row.kind,
  listKind: `${row.kind}List`,
  namespaced: row.cluster !== true,
  shortNames: row.short ?? [],
  categories: row.categories ?? [],
  bucket: row.bucket ?? `${row.group}/${row.plural}`,
  subresources: row.subresources ?? [],
}));

export const definitions = 'apiextensions.k8s.io/customresourcedefinitions';
