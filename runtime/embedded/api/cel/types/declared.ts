import { celNames } from '../name.ts';
import type { Schema } from '../../schema/schema.ts';
import {
  type CelType,
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  objectType,
  stringType,
  timestampType,
} from './type.ts';

/** What a schema says of its values: their type, and how large they may be. */
export interface Declared {
  readonly type: CelType;
  /** The most items, properties, or bytes of text; 0 for what has no size. */
  readonly most: number;
  /** The fewest bytes that such a value takes in JSON. */
  readonly leastBytes: number;
  readonly key?: Declared;
  readonly item?: Declared;
  readonly fields?: ReadonlyMap<string, Declared>;
}

/** The most bytes of a request that a value can come in. */
export const mostRequestBytes = 3 * 1024 * 1024;

const ofType = (type: CelType, most: number, leastBytes: number): Declared => ({ type, most, leastBytes });
const unbounded = mostRequestBytes - 2;
const key = ofType(stringType, 0, 2);
const name = (most: number): Schema => ({ type: 'string', maxLength: most });

/** The schema of a whole object, with what every object has. */
export const withObjectParts = (schema: Schema): Schema => ({
  ...schema,
  properties: {
    ...schema.properties,
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: {
      type: 'object',
      properties: { name: named(schema, 'name', 253), generateName: named(schema, 'generateName', 252) },
    },
  },
});

/** A name is never longer than the API lets it be; a schema may say less. */
function named({ properties }: Schema, field: string, most: number): Schema {
  const own = properties?.['metadata']?.properties?.[field];
  return { ...name(Math.min(most, own?.maxLength ?? most)) };
}

/** The type that rules see for the values of a schema; null for values that they cannot reach. */
export function declaredOf(schema: Schema, isWhole = false, path = 'object'): Declared | null {
  if (schema['x-kubernetes-int-or-string'] === true) return ofType(dynType, textBytes(schema), 1);
  const seen = isWhole ? withObjectParts(schema) : schema;
  switch (seen.type) {
    case 'array':
      return listDeclared(seen, path);
    case 'object':
      return typeof seen.additionalProperties === 'object'
        ? mapDeclared(seen, seen.additionalProperties, path)
        : objectDeclared(seen, path);
    case 'string':
      return textDeclared(seen);
    case 'boolean':
      return ofType(boolType, 0, 4);
    case 'number':
      return ofType(doubleType, 0, 1);
    case 'integer':
      return ofType(intType, 0, 1);
    default:
      return null;
  }
}

const isEmbedded = (schema: Schema) => schema['x-kubernetes-embedded-resource'] === true;
const atLeastZero = (bound: number | undefined, otherwise: number) => Math.max(0, bound ?? otherwise);

function listDeclared({ items, maxItems }: Schema, path: string): Declared | null {
  const item = items && declaredOf(items, isEmbedded(items), `${path}.@idx`);
  if (!item) return null;
  const most = atLeastZero(maxItems, Math.floor(unbounded / (item.leastBytes + 1)));
  return { ...ofType(listOf(item.type), most, 2), item };
}

function mapDeclared({ maxProperties }: Schema, values: Schema, path: string): Declared | null {
  const item = declaredOf(values, isEmbedded(values), `${path}.@prop`);
  if (!item) return null;
  const most = atLeastZero(maxProperties, Math.floor(unbounded / (item.leastBytes + 6)));
  return { ...ofType(mapOf(stringType, item.type), most, 2), key, item };
}

function objectDeclared({ properties = {}, required = [] }: Schema, path: string): Declared {
  const fields = new Map<string, Declared>();
  let leastBytes = 2;
  for (const [field, schema] of Object.entries(properties)) {
    const declared = declaredOf(schema, isEmbedded(schema), `${path}.${field}`);
    if (!declared) continue;
    for (const one of celNames(field)) fields.set(one, declared);
    if (required.includes(field) && schema.default === undefined) leastBytes += field.length + declared.leastBytes + 4;
  }
  const types = new Map([...fields].map(([field, { type }]) => [field, type] as const));
  return { ...ofType(objectType('object', types), 0, leastBytes), fields };
}

function textDeclared(schema: Schema): Declared {
  switch (schema.format) {
    case 'byte':
      return ofType(bytesType, atLeastZero(schema.maxLength, unbounded), 2);
    case 'duration':
      return ofType(durationType, 32, 3);
    case 'date':
      return ofType(timestampType, 12, 12);
    case 'date-time':
      return ofType(timestampType, 32, 21);
    default:
      return ofType(stringType, textBytes(schema), 2);
  }
}

/** A character of text may take four bytes. */
function textBytes({ maxLength, enum: values = [] }: Schema): number {
  if (maxLength !== undefined) return Math.max(0, maxLength) * 4;
  const texts = values.filter((value) => typeof value === 'string');
  return texts.length === 0 ? unbounded : Math.max(...texts.map((text) => Buffer.byteLength(text)));
}
