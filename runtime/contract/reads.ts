import type { KubeObject } from '../../crds/kind.ts';
import type { Condition } from '../../rules/condition.ts';

interface Told extends KubeObject {
  readonly spec?: object;
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** For resources that are read whole: any change counts. */
export const everyChange = ({ metadata }: KubeObject): unknown => metadata.resourceVersion;

/** The conditions without messages and times, which are for people. */
export const verdictsOf = ({ status }: Pick<Told, 'status'>): unknown =>
  status?.conditions?.map(({ type, status: is, reason }) => [type, is, reason]);

/** Deletion and conditions of an object. */
export const standingOf = (object: Told): unknown => [object.metadata.deletionTimestamp, verdictsOf(object)];

/** Some fields of the spec, deletion and conditions. */
export const settingsOf =
  <O extends Told & { readonly spec: object }>(...fields: readonly (keyof O['spec'])[]) =>
  (object: O): unknown => [standingOf(object), fields.map((field) => (object.spec as O['spec'])[field])];

/** The whole spec, deletion and conditions. */
export const specRead = (object: Told): unknown => [standingOf(object), object.spec];

/** Everything but the history, on which no other controller decides. */
export const exceptHistory = ({ metadata, spec, status }: Told): unknown => {
  const { labels, annotations, deletionTimestamp } = metadata;
  return [labels, annotations, deletionTimestamp, spec, { ...status, history: null }];
};

/** The content of a Secret or ConfigMap. */
export const dataOf = (object: KubeObject & { readonly data?: unknown }): unknown => object.data;
