import type { Definition, Field, Shape } from '../published/definition.ts';
import { definition } from '../published/definitions.ts';

export type Document = Readonly<Record<string, unknown>>;

/** Where the schemas of a document stand, by the version of OpenAPI that it is written in. */
export type Dialect = 'v2' | 'v3';

export const reference = (dialect: Dialect, name: string): Document => ({
  $ref: `#/${dialect === 'v2' ? 'definitions' : 'components/schemas'}/${name}`,
});

/** A published type as a schema of a document. */
export function component(found: Definition, dialect: Dialect): Document {
  const { description, required, plain, fields, mapType } = found;
  const text = description === '' ? {} : { description };
  if (plain) {
    const { oneOf, type = 'string', format } = plain;
    const types = oneOf && dialect === 'v3' ? { oneOf: oneOf.map((one) => ({ type: one })) } : { type };
    return { ...text, ...types, ...(format !== undefined && { format }) };
  }
  const properties = Object.entries(fields).map(([name, field]) => [name, property(field, dialect)] as const);
  return {
    ...text,
    type: 'object',
    ...(required.length > 0 && { required }),
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(mapType !== undefined && { 'x-kubernetes-map-type': mapType }),
  };
}

function property(field: Field, dialect: Dialect): Document {
  const isWhole = field.shape.is === 'ref' && dialect === 'v3';
  return {
    ...(isWhole ? { allOf: [shapeSchema(field.shape, dialect)] } : shapeSchema(field.shape, dialect)),
    ...describedWith(field),
    ...(field.default !== undefined && { default: field.default }),
    ...(field.enum && dialect === 'v3' && withEnum(field.shape, field.enum)),
    ...(field.listType !== undefined && { 'x-kubernetes-list-type': field.listType }),
    ...(field.mapKeys && { 'x-kubernetes-list-map-keys': field.mapKeys }),
    ...(field.mapType !== undefined && { 'x-kubernetes-map-type': field.mapType }),
    ...(field.patchStrategy !== undefined && { 'x-kubernetes-patch-strategy': field.patchStrategy }),
    ...(field.patchMergeKey !== undefined && { 'x-kubernetes-patch-merge-key': field.patchMergeKey }),
  };
}

function describedWith({ description, enum: values, shape }: Field): Document {
  const possible =
    values && shape.is === 'plain'
      ? `\n\nPossible enum values:\n${values.map((one) => ` - \`"${one}"\``).join('\n')}`
      : '';
  // The client's models describe a field that is an object by its type alone.
  const ofType = shape.is === 'ref' ? definition(shape.name)?.description : undefined;
  const text = `${description || (ofType ?? '')}${possible}`;
  return text === '' ? {} : { description: text };
}

const withEnum = (shape: Shape, values: readonly string[]): Document =>
  shape.is === 'list' ? { items: { type: 'string', enum: values } } : { enum: values };

function shapeSchema(shape: Shape, dialect: Dialect): Document {
  switch (shape.is) {
    case 'any':
      return dialect === 'v2' ? { type: 'object' } : {};
    case 'plain':
      return { type: shape.type, ...(shape.format && { format: shape.format }) };
    case 'list':
      return { type: 'array', items: shapeSchema(shape.of, dialect) };
    case 'map':
      return { type: 'object', additionalProperties: shapeSchema(shape.of, dialect) };
    case 'ref':
      return reference(dialect, shape.name);
  }
}

/** The names of the types that a type is made of. */
export function namesIn({ fields }: Definition): readonly string[] {
  const named = (shape: Shape): readonly string[] =>
    shape.is === 'ref' ? [shape.name] : 'of' in shape ? named(shape.of) : [];
  return Object.values(fields).flatMap(({ shape }) => named(shape));
}
