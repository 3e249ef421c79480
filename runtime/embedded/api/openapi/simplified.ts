import type { Schema } from '../schema/schema.ts';

/** A schema in the words that OpenAPI 2 has for it. */
export function simplified(schema: Schema): Schema {
  const { nullable: _, anyOf: __, oneOf: ___, not: ____, allOf: _____, items, properties, ...rest } = schema;
  const { 'x-kubernetes-validations': ______, additionalProperties, ...plain } = rest;
  if (schema['x-kubernetes-int-or-string'] === true) return { ...plain, type: 'string', format: 'int-or-string' };
  return {
    ...plain,
    ...(items && { items: simplified(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, simplified(one)])),
    }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object' ? simplified(additionalProperties) : additionalProperties,
    }),
  };
}
