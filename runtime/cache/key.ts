import type { KubeObject } from '../../crds/kind.ts';

/** Identifies one object of a resource. */
export type Key = string;

export const keyOf = ({ metadata: { namespace = '', name } }: KubeObject): Key => keyIn(namespace, name);
export const keyIn = (namespace: string, name: string): Key => `${namespace}/${name}`;
