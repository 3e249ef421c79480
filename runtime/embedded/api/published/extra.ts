import { type Definition, metaV1 } from './definition.ts';

const plainType = (name: string, description: string, plain: Definition['plain'] = {}): Definition => ({
  name,
  description,
  required: [],
  fields: {},
  plain,
});

export const quantity = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
export const intOrString = 'io.k8s.apimachinery.pkg.util.intstr.IntOrString';
export const time = `${metaV1}.Time`;
export const microTime = `${metaV1}.MicroTime`;
export const fieldsV1 = `${metaV1}.FieldsV1`;
export const rawExtension = 'io.k8s.apimachinery.pkg.runtime.RawExtension';
export const patchType = `${metaV1}.Patch`;

/** Types that are values rather than objects: the client models them as plain types of its language. */
export const extraDefinitions: readonly Definition[] = [
  plainType(
    quantity,
    'An amount with an optional suffix: decimal (m, k, M, G, T, P, E), binary (Ki, Mi, Gi, Ti, Pi, Ei) or an exponent.',
    { oneOf: ['string', 'number'] },
  ),
  plainType(intOrString, 'Either a whole number or text.', { format: 'int-or-string', oneOf: ['integer', 'string'] }),
  plainType(time, 'A point in time by RFC 3339, to the second.', { type: 'string', format: 'date-time' }),
  plainType(microTime, 'A point in time by RFC 3339, to the microsecond.', { type: 'string', format: 'date-time' }),
  plainType(fieldsV1, 'A set of fields, as a tree of their names.', { type: 'object' }),
  plainType(rawExtension, 'An object of any kind.', { type: 'object' }),
  plainType(patchType, 'The body of a patch.', { type: 'object' }),
];
