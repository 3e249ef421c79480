import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import { type Schema, structural } from '../../crds/schema.ts';
import { orNull } from './kit.ts';

/** A Kubernetes quantity, as JSON may have it. */
const quantity = ({ description, pattern }: Schema): TSchema =>
  Type.Unsafe({
    ...(description !== undefined && { description }),
    anyOf: [
      { type: 'integer', minimum: 0 },
      { type: 'string', examples: ['512Mi'], ...(pattern !== undefined && { pattern }) },
    ],
  });

/** What a field means, and what it is when it is left out, where the description does not say so itself. */
const withPreset = ({ description = '', default: preset }: Schema): string =>
  description.includes('when left out') || preset === ''
    ? description
    : `${description} \`${JSON.stringify(preset)}\` when left out.`.trimStart();

/** Whether null takes a field away that need not be there, as in a patch. */
type Clears = boolean;

/** The request schema for a schema of our resources; it refuses undeclared fields. */
function requestedAs(schema: Schema, clears: Clears): TSchema {
  if (schema['x-kubernetes-int-or-string']) return quantity(schema);
  // What a generated client sends unasked would not be what is meant by leaving a field out.
  const { properties, additionalProperties, items, format, default: preset, ...rest } = schema;
  const isSet = rest['x-kubernetes-list-type'] === 'set';
  return Type.Unsafe({
    ...Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('x-kubernetes-'))),
    ...(preset !== undefined && !clears && { description: withPreset(schema) }),
    ...(format === 'date-time' && { format }),
    ...(isSet && { uniqueItems: true }),
    ...(items && { items: requestedAs(items, false) }),
    ...(additionalProperties && { additionalProperties: requestedAs(additionalProperties, false) }),
    ...(properties && { properties: mapped(schema, clears), additionalProperties: false }),
  });
}

const mapped = ({ properties = {}, required = [] }: Schema, clears: Clears): Readonly<Record<string, TSchema>> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const field = requestedAs(schema, clears);
      return [name, clears && !required.includes(name) ? orNull(field) : field];
    }),
  );

const fieldsOf = (spec: TObject, leftOut: readonly string[], clears: Clears): Readonly<Record<string, TSchema>> => {
  const { required = [], ...schema } = structural(spec);
  const fields = Object.entries(mapped({ ...schema, required }, clears)).filter(([name]) => !leftOut.includes(name));
  return Object.fromEntries(
    fields.map(([name, field]) => [name, required.includes(name) ? field : Type.Optional(field)]),
  );
};

/** The fields of a spec that a request may set, with their schemas; those with a default are optional. */
export const requestedFields = (spec: TObject, leftOut: readonly string[]) => fieldsOf(spec, leftOut, false);

/** The same of a change, in which null takes away what need not be there: it is as if it had never been set. */
export const changedFields = (spec: TObject, leftOut: readonly string[]) => fieldsOf(spec, leftOut, true);
