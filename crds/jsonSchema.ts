import type { Kind } from './kind.ts';
import { objectSchemaOf } from './manifest.ts';
import { apiVersion, group, version } from './names.ts';
import { mapValues, type Schema } from './schema.ts';

/** A schema of draft 7, which editors and checkers outside a cluster read. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The name of the file of a kind's schema: what checkers of manifests make of kind and version. */
export const schemaFileName = ({ kind }: Pick<Kind, 'kind'>): string => `${kind.toLowerCase()}_${version}.json`;

const draft = { $schema: 'http://json-schema.org/draft-07/schema#' };

/** What each object has, of which any other field is accepted. */
const metadata: JsonSchema = {
  type: 'object',
  description: 'Name, namespace, labels and annotations of the object.',
  properties: {
    name: { type: 'string', description: 'Name of the object, unique for its kind in its namespace.' },
    namespace: { type: 'string', description: 'Namespace of the object.' },
    labels: {
      type: 'object',
      description: 'Words by which objects are selected.',
      additionalProperties: { type: 'string' },
    },
    annotations: {
      type: 'object',
      description: 'Other words about the object.',
      additionalProperties: { type: 'string' },
    },
  },
};

/** Of an object of a kind: any field that a cluster would drop is an error. */
export function jsonSchemaOf(kind: Kind): JsonSchema {
  const {
    required = [],
    properties,
    ...rest
  } = strict(objectSchemaOf(kind)) as JsonSchema & {
    readonly required?: readonly string[];
    readonly properties: JsonSchema;
  };
  return {
    ...draft,
    title: kind.kind,
    ...rest,
    required: ['apiVersion', 'kind', 'metadata', ...required],
    properties: {
      ...properties,
      apiVersion: { ...(properties['apiVersion'] as object), const: apiVersion },
      kind: { ...(properties['kind'] as object), const: kind.kind },
      metadata,
    },
  };
}

/**
 * Of a file with objects of any kinds, of which those of other groups are not judged. The kind of an object selects its
 * schema: of a `oneOf` an editor would tell what is wrong for each of the kinds.
 */
export const jsonSchemaOfAll = (kinds: readonly Kind[]): JsonSchema => ({
  ...draft,
  title: `Objects of ${group}`,
  type: 'object',
  required: ['apiVersion', 'kind'],
  properties: { apiVersion: { type: 'string' }, kind: { type: 'string' } },
  allOf: [
    {
      if: {
        required: ['apiVersion'],
        properties: { apiVersion: { pattern: `^${group.replaceAll('.', '\\.')}(/|$)` } },
      },
      then: { properties: { apiVersion: { const: apiVersion }, kind: { enum: kinds.map(({ kind }) => kind) } } },
    },
    ...kinds.map((kind) => ({
      if: { required: ['kind'], properties: { kind: { const: kind.kind } } },
      then: { $ref: schemaFileName(kind) },
    })),
  ],
});

/** A structural schema in words of draft 7, strict about names. Conditions in CEL have none: only a cluster evaluates them. */
export function strict(schema: Schema): JsonSchema {
  const { type, format, nullable: _nullable, enum: values, anyOf: _anyOf, ...rest } = schema;
  const isNullable = schema.nullable === true;
  const kept = Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('x-kubernetes-')));
  return {
    ...kept,
    ...(type !== undefined && { type: isNullable ? [type, 'null'] : type }),
    // The only union there is.
    ...(schema['x-kubernetes-int-or-string'] && { type: ['integer', 'string'] }),
    ...(values && { enum: isNullable ? [...values, null] : values }),
    // Sizes of numbers are no formats of draft 7.
    ...(format !== undefined && type === 'string' && { format }),
    ...(schema['x-kubernetes-list-type'] === 'set' && { uniqueItems: true }),
    ...below(schema),
  };
}

function below({ type, properties, items, additionalProperties, ...rest }: Schema): JsonSchema {
  const isClosed = type === 'object' && !additionalProperties && !rest['x-kubernetes-preserve-unknown-fields'];
  return {
    ...(items && { items: strict(items) }),
    ...(properties && { properties: mapValues(properties, strict) }),
    ...(additionalProperties && { additionalProperties: strict(additionalProperties) }),
    ...(isClosed && { additionalProperties: false }),
  };
}
