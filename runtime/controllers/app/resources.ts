import type { KubeObject } from '../../../crds/kind.ts';
import type { Condition } from '../../../rules/condition.ts';
import { ownedKind } from '../../owned/owned.ts';

export interface ReplicaSet extends KubeObject {
  readonly metadata: KubeObject['metadata'] & { readonly ownerReferences?: readonly { readonly uid: string }[] };
  readonly status?: { readonly availableReplicas?: number };
}

/** The ReplicaSets of Core's Deployments, which carry the labels of their pods. */
export const replicaSets = ownedKind<ReplicaSet>({ group: 'apps', kind: 'ReplicaSet', plural: 'replicasets' });

/** The hosts for which the serverless add-on takes requests. */
export const interceptorRoutes = ownedKind({
  group: 'http.keda.sh',
  version: 'v1beta1',
  kind: 'InterceptorRoute',
  plural: 'interceptorroutes',
});

export interface ScaledObject extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** The workloads whose copies it counts. */
export const scaledObjects = ownedKind<ScaledObject>({
  group: 'keda.sh',
  version: 'v1alpha1',
  kind: 'ScaledObject',
  plural: 'scaledobjects',
});
