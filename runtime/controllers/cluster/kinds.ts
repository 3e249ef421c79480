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
  // A challenge over HTTP without settings of its own.
  meaningfulEmpty: ['ingress'],
  namespaced: false,
});

/** All certificate issuers of the cluster, because somebody else may have made the one that services use. */
export const clusterIssuers: Resource<Conditioned> = {
  ...ownIssuers,
  cached: { indexes: ownIssuers.cached?.indexes ?? [] },
};

/** Whether the certificate manager is there. */
export const issuerDefinition: Resource<Conditioned> = definitionOf('clusterissuers.cert-manager.io');

interface NodeDrivers extends KubeObject {
  readonly spec?: { readonly drivers?: readonly { readonly name: string }[] | null };
}

/** Which drivers of volumes are registered on each node. */
export const nodeDrivers: Resource<NodeDrivers> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSINode',
  plural: 'csinodes',
  namespaced: false,
  cached: {},
};

/** The storage classes that Core makes. */
export const ownClasses = ownedKind<StorageClass>({
  group: 'storage.k8s.io',
  kind: 'StorageClass',
  plural: 'storageclasses',
  namespaced: false,
});
