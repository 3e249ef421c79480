import type { KubeObject } from '../../crds/kind.ts';
import type { Resource } from '../services/cluster/cluster.ts';

/** One object of the cluster by its address; the namespace of a cluster-scoped one is empty. */
export interface Ref {
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
}

export const refOf = (resource: Resource, { metadata: { namespace = '', name } }: KubeObject): Ref => ({
  resource,
  namespace,
  name,
});

/** The map key of a Ref. */
export const refKey = ({ resource: { group, plural }, namespace, name }: Ref): string =>
  `${group}/${plural} ${namespace}/${name}`;

export const isSameRef = (one: Ref, other: Ref): boolean =>
  one.name === other.name &&
  one.namespace === other.namespace &&
  one.resource.plural === other.resource.plural &&
  one.resource.group === other.resource.group;

/** An object as people read it: `Deployment shop-live/db`, `Namespace shop-live`. */
export const displayName = ({ resource: { kind }, namespace, name }: Ref): string =>
  `${kind} ${namespace === '' ? name : `${namespace}/${name}`}`;
