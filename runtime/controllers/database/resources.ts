import type { KubeObject } from '../../../crds/kind.ts';
import type { Resource } from '../../services/cluster.ts';

/** The storage classes of the cluster. */
export const storageClasses: Resource = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  namespaced: false,
  cached: {},
};

/** A claim, reduced to whether it is bound to a volume. */
export interface ClaimSeen extends KubeObject {
  readonly status?: { readonly phase?: string };
}
