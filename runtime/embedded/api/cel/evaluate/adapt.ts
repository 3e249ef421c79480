import { type Json, isJson } from '../../json.ts';
import type { Schema } from '../../schema/schema.ts';
import { fieldOfName } from '../name.ts';
import { parseDuration, parseTimestamp } from '../functions/times.ts';
import { withObjectParts } from '../types/declared.ts';
import { equal } from './compare.ts';
import { type CelMap, type MapKey, Struct } from './values.ts';

/** A JSON value as expressions see it where no schema gives its type: whole numbers are integers. */
export function untypedValue(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(untypedValue);
  return isJson(value) ? new JsonMap(value, untypedValue) : value;
}

/** A JSON value as expressions see it by its schema. */
export function typedValue(schema: Schema | undefined, value: unknown, isWhole = false): unknown {
  if (schema === undefined || value === null || value === undefined) return untypedValue(value);
  if (typeof value === 'number') return schema.type === 'number' ? value : untypedValue(value);
  if (typeof value === 'string') return textValue(schema, value);
  if (Array.isArray(value)) return value.map((item) => typedValue(schema.items, item));
  if (!isJson(value)) return value;
  const { additionalProperties } = schema;
  if (typeof additionalProperties === 'object')
    return new JsonMap(value, (inner) => typedValue(additionalProperties, inner));
  return new SchemaStruct(
    isWhole || schema['x-kubernetes-embedded-resource'] ? withObjectParts(schema) : schema,
    value,
  );
}

function textValue({ type, format }: Schema, value: string): unknown {
  if (type !== 'string') return value;
  switch (format) {
    case 'byte':
      return Buffer.from(value, 'base64');
    case 'date':
      return parseTimestamp(`${value}T00:00:00Z`);
    case 'date-time':
      return parseTimestamp(value.toUpperCase());
    case 'duration':
      return parseDuration(value);
    default:
      return value;
  }
}

/** A JSON object as a map, its values made when they are asked for. */
class JsonMap implements CelMap {
  readonly #made = new Map<string, unknown>();
  readonly json: Json;
  readonly make: (value: unknown) => unknown;
  constructor(json: Json, make: (value: unknown) => unknown) {
    this.json = json;
    this.make = make;
  }
  get size(): number {
    return Object.keys(this.json).length;
  }
  has(key: MapKey): boolean {
    return typeof key === 'string' && Object.hasOwn(this.json, key) && this.json[key] !== undefined;
  }
  get(key: MapKey): unknown {
    if (typeof key !== 'string' || !this.has(key)) return undefined;
    if (!this.#made.has(key)) this.#made.set(key, this.make(this.json[key]));
    return this.#made.get(key);
  }
  keys(): Iterable<string> {
    return Object.keys(this.json);
  }
}

/** A JSON object by its schema: its fields are those that this declares. */
class SchemaStruct extends Struct {
  readonly #made = new Map<string, unknown>();
  readonly schema: Schema;
  readonly json: Json;
  constructor(schema: Schema, json: Json) {
    super();
    this.schema = schema;
    this.json = json;
  }
  override get(name: string): unknown {
    if (this.#made.has(name)) return this.#made.get(name);
    const field = fieldOfName(name);
    const given = Object.hasOwn(this.json, field) ? this.json[field] : undefined;
    // A field that is null is not there.
    const value = given === null ? undefined : typedValue(this.schema.properties?.[field], given);
    this.#made.set(name, value);
    return value;
  }
  override equals(other: Struct): boolean {
    if (!(other instanceof SchemaStruct)) return false;
    const fields = Object.keys(this.schema.properties ?? {});
    return fields.every((field) => {
      const [own, theirs] = [this.json[field], other.json[field]];
      if (own === undefined || theirs === undefined) return own === theirs;
      const schema = this.schema.properties?.[field];
      return equal(typedValue(schema, own), typedValue(schema, theirs));
    });
  }
}
