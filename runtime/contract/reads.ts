import type { KubeObject } from '../../crds/kind.ts';
import type { Condition } from '../../rules/condition.ts';

interface Told extends KubeObject {
  readonly spec?: object;
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** For what is read whole: any change is news. */
export const everyChange = ({ metadata }: KubeObject): unknown => metadata.resourceVersion;

/** What is concluded from the conditions of an object; their messages and times are for people. */
export const verdictsOf = ({ status }: Pick<Told, 'status'>): unknown =>
  status?.conditions?.map(({ type, status: is, reason }) => [type, is, reason]);

/** Whether an object is there, and its conditions. */
export const standingOf = (object: Told): unknown => [object.metadata.deletionTimestamp, verdictsOf(object)];

/** Some fields of its spec, whether it is there, and its conditions. */
export const settingsOf =
  <O extends Told & { readonly spec: object }>(...fields: readonly (keyof O['spec'])[]) =>
  (object: O): unknown => [standingOf(object), fields.map((field) => (object.spec as O['spec'])[field])];

/** Its whole spec, whether it is there, and its conditions. */
export const specRead = (object: Told): unknown => [standingOf(object), object.spec];

/** Spec and status but for the moves, which nobody else decides on. */
export const exceptHistory = ({ metadata, spec, status }: Told): unknown => {
  const { labels, annotations, deletionTimestamp } = metadata;
  return [labels, annotations, deletionTimestamp, spec, { ...status, history: null }];
};

/** The content of a Secret or ConfigMap. */
export const dataOf = (object: KubeObject & { readonly data?: unknown }): unknown => object.data;
