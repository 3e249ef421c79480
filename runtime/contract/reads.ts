import type { StoredCause } from '../../crds/cause.ts';
import type { KubeObject } from '../../crds/kind.ts';
import type { Condition } from '../../rules/condition.ts';

interface Told extends KubeObject {
  readonly spec?: object;
  readonly status?: { readonly conditions?: readonly Condition[]; readonly causes?: readonly StoredCause[] };
}

/** For resources that are read whole: any change counts. */
export const everyChange = ({ metadata }: KubeObject): unknown => metadata.resourceVersion;

/** The conditions without messages and times, which are for people. */
export const verdictsOf = ({ status }: Pick<Told, 'status'>): unknown =>
  status?.conditions?.map(({ type, status: is, reason }) => [type, is, reason]);

const worstIn = ({ status }: Pick<Told, 'status'>) => status?.causes?.find(({ of }) => of === 'Ready');

/** The worst cause of Ready, by its identity and its root, without words, counts and times. */
const worstCauseOf = (told: Pick<Told, 'status'>): unknown => {
  const worst = worstIn(told);
  return worst && [worst.of, worst.reason, worst.on, worst.root];
};

/** Deletion, conditions and the worst cause of an object. */
export const standingOf = (object: Told): unknown => [
  object.metadata.deletionTimestamp,
  verdictsOf(object),
  worstCauseOf(object),
];

/** Some fields of the spec, deletion and conditions. */
export const settingsOf =
  <O extends Told & { readonly spec: object }>(...fields: readonly (keyof O['spec'])[]) =>
  (object: O): unknown => [standingOf(object), fields.map((field) => (object.spec as O['spec'])[field])];

/** The whole spec, deletion and conditions. */
export const specRead = (object: Told): unknown => [standingOf(object), object.spec];

/** Everything but the history, and of the causes only the worst: no other controller decides on the rest. */
export const exceptHistory = (told: Told): unknown => {
  const { metadata, spec, status } = told;
  const { labels, annotations, deletionTimestamp } = metadata;
  return [labels, annotations, deletionTimestamp, spec, { ...status, history: null, causes: worstCauseOf(told) }];
};

/** The same with the words of that cause, for the one object that repeats them as its own. */
export const exceptHistoryWithWords = (told: Told): unknown => [exceptHistory(told), worstIn(told)?.message];

/** The content of a Secret or ConfigMap. */
export const dataOf = (object: KubeObject & { readonly data?: unknown }): unknown => object.data;
