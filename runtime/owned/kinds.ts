import type { KubeObject } from '../../crds/kind.ts';
import { label, managedBy } from '../../crds/names.ts';
import type { Secret } from '../../crds/builtIn.ts';
import type { Index, Resource } from '../services/cluster/cluster.ts';

interface CronJob extends KubeObject {
  readonly status?: { readonly lastScheduleTime?: string };
}

const ownerKey = (kind: string, name: string) => `${kind}/${name}`;

/** Finds the objects of an owner by their labels, in any namespace. */
const byOwner: Index = {
  name: 'owner',
  keys: ({ metadata: { labels } }) => {
    const [kind, name] = [labels?.[label.kind], labels?.[label.name]];
    return kind === undefined || name === undefined ? [] : [ownerKey(kind, name)];
  },
};

export const ownedBy = (kind: string, name: string) => [byOwner.name, ownerKey(kind, name)] as const;

/** Declares a kind of which only Core's objects are cached, in every namespace. */
export const ownedKind = <O extends KubeObject = KubeObject>(
  given: Pick<Resource, 'group' | 'kind' | 'plural'> &
    Partial<Pick<Resource, 'version' | 'namespaced' | 'meaningfulEmpty'>>,
  indexes: readonly Index[] = [],
): Resource<O> => ({
  version: 'v1',
  namespaced: true,
  ...given,
  cached: { labelSelector: `${label.managedBy}=${managedBy}`, everywhere: true, indexes: [byOwner, ...indexes] },
});

/** For kinds with pod templates: an empty `emptyDir` is a volume. */
export const ofPods = { meaningfulEmpty: ['emptyDir'] };

/** The built-in kinds that Core manages. */
export const owned = {
  namespaces: ownedKind({ group: '', kind: 'Namespace', plural: 'namespaces', namespaced: false }),
  networkPolicies: ownedKind({
    group: 'networking.k8s.io',
    kind: 'NetworkPolicy',
    plural: 'networkpolicies',
    // An empty selector selects everything.
    meaningfulEmpty: ['podSelector', 'namespaceSelector'],
  }),
  roleBindings: ownedKind({ group: 'rbac.authorization.k8s.io', kind: 'RoleBinding', plural: 'rolebindings' }),
  deployments: ownedKind({ group: 'apps', kind: 'Deployment', plural: 'deployments', ...ofPods }),
  ingresses: ownedKind({ group: 'networking.k8s.io', kind: 'Ingress', plural: 'ingresses' }),
  autoscalers: ownedKind({
    group: 'autoscaling',
    version: 'v2',
    kind: 'HorizontalPodAutoscaler',
    plural: 'horizontalpodautoscalers',
  }),
  cronJobs: ownedKind<CronJob>({ group: 'batch', kind: 'CronJob', plural: 'cronjobs', ...ofPods }),
  statefulSets: ownedKind({ group: 'apps', kind: 'StatefulSet', plural: 'statefulsets', ...ofPods }),
  services: ownedKind({ group: '', kind: 'Service', plural: 'services' }),
  claims: ownedKind({ group: '', kind: 'PersistentVolumeClaim', plural: 'persistentvolumeclaims' }),
  configMaps: ownedKind({ group: '', kind: 'ConfigMap', plural: 'configmaps' }),
  secrets: ownedKind<Secret>({ group: '', kind: 'Secret', plural: 'secrets' }),
  serviceAccounts: ownedKind({ group: '', kind: 'ServiceAccount', plural: 'serviceaccounts' }),
} as const;
