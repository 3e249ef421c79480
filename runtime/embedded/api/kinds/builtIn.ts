import { type ResourceType, type Subresource, verbs } from './type.ts';

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
  /** Set where fewer verbs are known than for most. */
  readonly verbs?: readonly string[];
  readonly deprecated?: string;
  /** Where the objects stand when another group serves the same ones. */
  readonly bucket?: string;
}

const all = ['all'] as const;
const status = ['status'] as const;
const scalable = ['status', 'scale'] as const;
const rbac = 'rbac.authorization.k8s.io';
const storage = 'storage.k8s.io';
const review = { cluster: true, verbs: ['create'] } as const;

const rows: readonly Row[] = [
  {
    group: '',
    plural: 'namespaces',
    kind: 'Namespace',
    short: ['ns'],
    cluster: true,
    subresources: ['status', 'finalize'],
    verbs: verbs.filter((verb) => verb !== 'deletecollection'),
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
    subresources: ['attach', 'ephemeralcontainers', 'eviction', 'exec', 'log', 'portforward', 'status'],
  },
  { group: '', plural: 'secrets', kind: 'Secret' },
  { group: '', plural: 'configmaps', kind: 'ConfigMap', short: ['cm'] },
  { group: '', plural: 'services', kind: 'Service', short: ['svc'], categories: all, subresources: status },
  {
    group: '',
    plural: 'endpoints',
    kind: 'Endpoints',
    singular: 'endpoints',
    short: ['ep'],
    deprecated: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  },
  { group: '', plural: 'serviceaccounts', kind: 'ServiceAccount', short: ['sa'], subresources: ['token'] },
  { group: '', plural: 'events', kind: 'Event', short: ['ev'] },
  { group: '', plural: 'persistentvolumeclaims', kind: 'PersistentVolumeClaim', short: ['pvc'], subresources: status },
  { group: '', plural: 'resourcequotas', kind: 'ResourceQuota', short: ['quota'], subresources: status },
  { group: '', plural: 'podtemplates', kind: 'PodTemplate' },
  {
    group: '',
    plural: 'replicationcontrollers',
    kind: 'ReplicationController',
    short: ['rc'],
    categories: all,
    subresources: scalable,
  },
  {
    group: '',
    plural: 'componentstatuses',
    kind: 'ComponentStatus',
    short: ['cs'],
    cluster: true,
    verbs: ['get', 'list'],
    deprecated: 'v1 ComponentStatus is deprecated in v1.19+',
  },
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
  { group: 'apps', plural: 'controllerrevisions', kind: 'ControllerRevision' },
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
  {
    group: 'autoscaling',
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
    group: storage,
    plural: 'storageclasses',
    kind: 'StorageClass',
    singular: 'storageclass',
    short: ['sc'],
    cluster: true,
  },
  { group: storage, plural: 'csidrivers', kind: 'CSIDriver', cluster: true },
  { group: storage, plural: 'csinodes', kind: 'CSINode', cluster: true },
  { group: storage, plural: 'csistoragecapacities', kind: 'CSIStorageCapacity' },
  { group: storage, plural: 'volumeattachments', kind: 'VolumeAttachment', cluster: true, subresources: status },
  ...(
    [
      ['mutatingwebhookconfigurations', 'MutatingWebhookConfiguration'],
      ['validatingwebhookconfigurations', 'ValidatingWebhookConfiguration'],
      ['validatingadmissionpolicies', 'ValidatingAdmissionPolicy'],
      ['validatingadmissionpolicybindings', 'ValidatingAdmissionPolicyBinding'],
    ] as const
  ).map(([plural, kind]): Row => ({
    group: 'admissionregistration.k8s.io',
    plural,
    kind,
    cluster: true,
    categories: ['api-extensions'],
    ...(plural === 'validatingadmissionpolicies' && { subresources: status }),
  })),
  {
    group: 'scheduling.k8s.io',
    plural: 'priorityclasses',
    kind: 'PriorityClass',
    singular: 'priorityclass',
    short: ['pc'],
    cluster: true,
  },
  { group: 'authentication.k8s.io', plural: 'selfsubjectreviews', kind: 'SelfSubjectReview', ...review },
  { group: 'authentication.k8s.io', plural: 'tokenreviews', kind: 'TokenReview', ...review },
  {
    group: 'authorization.k8s.io',
    plural: 'localsubjectaccessreviews',
    kind: 'LocalSubjectAccessReview',
    verbs: ['create'],
  },
  { group: 'authorization.k8s.io', plural: 'selfsubjectaccessreviews', kind: 'SelfSubjectAccessReview', ...review },
  { group: 'authorization.k8s.io', plural: 'selfsubjectrulesreviews', kind: 'SelfSubjectRulesReview', ...review },
  { group: 'authorization.k8s.io', plural: 'subjectaccessreviews', kind: 'SubjectAccessReview', ...review },
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

const versioned = [
  'Lease',
  'PodDisruptionBudget',
  'CSINode',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'CustomResourceDefinition',
];

const createdByPut = [
  'Service',
  'Endpoints',
  'LimitRange',
  'Event',
  'Lease',
  'Role',
  'RoleBinding',
  'ClusterRole',
  'ClusterRoleBinding',
];

/** A resource that needs no CustomResourceDefinition. */
export const builtInType = (row: Row): ResourceType => ({
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
  ...(row.verbs && { verbs: row.verbs }),
  ...(versioned.includes(row.kind) && { versioned: true }),
  ...(createdByPut.includes(row.kind) && { createdByPut: true }),
  ...(row.deprecated !== undefined && { deprecated: row.deprecated }),
});

/** The kinds that are always there. */
export const builtIn: readonly ResourceType[] = rows.map(builtInType);

export const definitions = 'apiextensions.k8s.io/customresourcedefinitions';
