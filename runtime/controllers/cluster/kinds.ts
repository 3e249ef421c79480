import type { KubeObject } from '../../../crds/kind.ts';
import type { Condition } from '../../../rules/condition.ts';
import type { StorageClass } from '../../../rules/cluster/storage.ts';
import { ownedKind } from '../../owned/owned.ts';
import { definitionOf } from '../../services/cluster/resources.ts';
import type { Resource } from '../../services/cluster/cluster.ts';

interface Conditioned extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

const ownIssuers = ownedKind<Conditioned>({
  group: 'cert-manager.io',
  kind: 'ClusterIssuer',
  plural: 'clusterissuers',
  // A challenge over HTTP without settings.
  meaningfulEmpty: ['ingress'],
  namespaced: false,
});

/** All certificate issuers of the cluster, because another client may have created the one that services use. */
export const clusterIssuers: Resource<Conditioned> = {
  ...ownIssuers,
  cached: { indexes: ownIssuers.cached?.indexes ?? [] },
};

/** The definition that shows whether the certificate manager is installed. */
export const issuerDefinition: Resource<Conditioned> = definitionOf('clusterissuers.cert-manager.io');

interface NodeDrivers extends KubeObject {
  readonly spec?: { readonly drivers?: readonly { readonly name: string }[] | null };
}

/** The volume drivers registered on each node. */
export const nodeDrivers: Resource<NodeDrivers> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSINode',
  plural: 'csinodes',
  namespaced: false,
  cached: {},
};

/** The storage classes that Core creates. */
export const ownClasses = ownedKind<StorageClass>({
  group: 'storage.k8s.io',
  kind: 'StorageClass',
  plural: 'storageclasses',
  namespaced: false,
});
