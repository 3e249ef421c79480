import type { KubeObject } from '../../../crds/kind.ts';
import { ownedKind } from '../../owned/owned.ts';

export interface ReplicaSet extends KubeObject {
  readonly metadata: KubeObject['metadata'] & { readonly ownerReferences?: readonly { readonly uid: string }[] };
}

/** The ReplicaSets of Core's Deployments, which carry the labels of their pods. */
export const replicaSets = ownedKind<ReplicaSet>({ group: 'apps', kind: 'ReplicaSet', plural: 'replicasets' });
