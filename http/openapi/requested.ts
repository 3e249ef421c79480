import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import { type Schema, structural } from '../../crds/schema.ts';

/** A Kubernetes quantity, as JSON may have it. */
const quantity = ({ description, pattern }: Schema): TSchema =>
  Type.Unsafe({
    ...(description !== undefined && { description }),
    anyOf: [
      { type: 'integer', minimum: 0 },
      { type: 'string', examples: ['512Mi'], ...(pattern !== undefined && { pattern }) },
    ],
  });

/** The request schema for a schema of our resources; it refuses undeclared fields. */
function requestedAs(schema: Schema): TSchema {
  if (schema['x-kubernetes-int-or-string']) return quantity(schema);
  const { properties, additionalProperties, items, format, ...rest } = schema;
  const isSet = rest['x-kubernetes-list-type'] === 'set';
  return Type.Unsafe({
    ...Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('x-kubernetes-'))),
    ...(format === 'date-time' && { format }),
    ...(isSet && { uniqueItems: true }),
    ...(items && { items: requestedAs(items) }),
    ...(additionalProperties && { additionalProperties: requestedAs(additionalProperties) }),
    ...(properties && { properties: mapped(properties), additionalProperties: false }),
  });
}

const mapped = (properties: Readonly<Record<string, Schema>>): Readonly<Record<string, TSchema>> =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, requestedAs(schema)]));

/** The fields of a spec that a request may set, with their schemas; those with a default are optional. */
export function requestedFields(spec: TObject, leftOut: readonly string[]): Readonly<Record<string, TSchema>> {
  const { properties = {}, required = [] } = structural(spec);
  const asked = Object.entries(properties).filter(([name]) => !leftOut.includes(name));
  return Object.fromEntries(
    asked.map(([name, schema]) => {
      const field = requestedAs(schema);
      return [name, required.includes(name) ? field : Type.Optional(field)];
    }),
  );
}
