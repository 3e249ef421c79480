import type { Definition, Field, Shape } from '../published/definition.ts';
import { definition, definitionName } from '../published/definitions.ts';
import type { Schema } from './schema.ts';

const schemas = new Map<string, Schema>();

const versionOf = (group: string) => (group === 'autoscaling' ? 'v2' : 'v1');

/** The schema of a built-in kind: its fields, their types and how they are merged; null for a kind that has none. */
export function builtInSchema(group: string, kind: string): Schema | null {
  const found = definition(definitionName(group, versionOf(group), kind));
  return found === null ? null : schemaOf(found);
}

/** A type that holds itself, as the schemas of definitions do, has a schema that holds itself. */
function schemaOf(found: Definition): Schema {
  const known = schemas.get(found.name);
  if (known) return known;
  const properties: Record<string, Schema> = {};
  const schema: Schema = {
    ...(found.plain ? plainSchema(found.plain) : { type: 'object', properties }),
    description: found.description,
    ...(found.required.length > 0 && { required: found.required }),
    ...(found.mapType !== undefined && { 'x-kubernetes-map-type': found.mapType }),
  };
  schemas.set(found.name, schema);
  for (const [name, field] of Object.entries(found.fields)) properties[name] = fieldSchema(field);
  return schema;
}

function plainSchema({ oneOf, type, format }: NonNullable<Definition['plain']>): Schema {
  if (oneOf?.includes('integer')) return { 'x-kubernetes-int-or-string': true };
  if (oneOf) return { anyOf: oneOf.map((one) => ({ type: one })) };
  if (type === 'object') return { type, 'x-kubernetes-preserve-unknown-fields': true };
  return { ...(type !== undefined && { type }), ...(format !== undefined && { format }) };
}

function fieldSchema(field: Field): Schema {
  return {
    ...shapeSchema(field.shape),
    description: field.description,
    ...(field.default !== undefined && { default: field.default }),
    ...(field.enum && field.shape.is === 'plain' && { enum: field.enum }),
    ...(field.listType !== undefined && { 'x-kubernetes-list-type': field.listType }),
    ...(field.mapKeys && { 'x-kubernetes-list-map-keys': field.mapKeys }),
    ...(field.mapType !== undefined && { 'x-kubernetes-map-type': field.mapType }),
    ...(field.patchStrategy !== undefined && { 'x-kubernetes-patch-strategy': field.patchStrategy }),
    ...(field.patchMergeKey !== undefined && { 'x-kubernetes-patch-merge-key': field.patchMergeKey }),
  };
}

function shapeSchema(shape: Shape): Schema {
  switch (shape.is) {
    case 'any':
      return { 'x-kubernetes-preserve-unknown-fields': true };
    case 'plain':
      return { type: shape.type, ...(shape.format && { format: shape.format }) };
    case 'list':
      return { type: 'array', items: shapeSchema(shape.of) };
    case 'map':
      return { type: 'object', additionalProperties: shapeSchema(shape.of) };
    case 'ref': {
      const found = definition(shape.name);
      return found === null ? { 'x-kubernetes-preserve-unknown-fields': true } : schemaOf(found);
    }
  }
}
