import { createHash } from 'node:crypto';
import type { KubeObject } from '../../crds/kind.ts';
import { program } from '../../crds/names.ts';

/** One entry of `metadata.managedFields`. */
export interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly time?: string;
  readonly fieldsV1?: object;
}

/** The managers of an object's fields, as the API reports them. */
export const managersOf = ({ metadata }: KubeObject): readonly ManagedFields[] =>
  (metadata as { readonly managedFields?: readonly ManagedFields[] }).managedFields ?? [];

export const isOurApply = ({ manager, operation, subresource = '' }: ManagedFields): boolean =>
  manager === program && operation === 'Apply' && subresource === '';

/** Replaces all managers in the metadata of cached objects; never sent to the API. */
const kept = Symbol('appliedFields');
const scaled = Symbol('scaledElsewhere');

type Keeping = KubeObject['metadata'] & {
  readonly managedFields?: unknown;
  readonly [kept]?: string;
  readonly [scaled]?: true;
};

const ownsReplicas = ({ fieldsV1 }: ManagedFields): boolean => {
  const spec = (fieldsV1 as Readonly<Record<string, unknown>> | undefined)?.['f:spec'];
  return typeof spec === 'object' && spec !== null && 'f:replicas' in spec;
};

/** Whether another manager, such as an autoscaler, has set the number of replicas. */
export const isScaledElsewhere = (object: KubeObject): boolean =>
  (object.metadata as Keeping)[scaled] === true ||
  managersOf(object).some((one) => !isOurApply(one) && ownsReplicas(one));

const fingerprint = (fields: object | undefined): string =>
  createHash('sha256')
    .update(JSON.stringify(fields ?? {}))
    .digest('base64')
    .slice(0, 22);

/** A short fingerprint of the fields that our applies own; undefined for none. */
export function appliedFields(object: KubeObject): string | undefined {
  const { [kept]: known } = object.metadata as Keeping;
  if (known !== undefined) return known;
  const ours = managersOf(object).find(isOurApply);
  return ours && fingerprint(ours.fieldsV1);
}

/** The cached form of an object: its managers reduced to what shows whether our fields are still ours. */
export function withoutManagers<O extends KubeObject>(object: O): O {
  const { managedFields, ...metadata } = object.metadata as Keeping;
  if (managedFields === undefined) return object;
  const fields = appliedFields(object);
  const mark = isScaledElsewhere(object) ? { [scaled]: true as const } : {};
  return { ...object, metadata: fields === undefined ? metadata : { ...metadata, ...mark, [kept]: fields } };
}
