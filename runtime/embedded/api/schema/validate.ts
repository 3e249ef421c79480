import { type Json, at, isJson, same } from '../json.ts';
import type { Cause } from '../status.ts';
import { duplicate, invalidValue, notSupported, required, tooLong, tooMany, typeInvalid, typeName } from './cause.ts';
import { fitsInteger, hasFormat } from './format.ts';
import type { Schema } from './schema.ts';

/** Every fault of a value by its schema, the rules in CEL aside. */
export function faultsOf(schema: Schema, value: unknown, path: string): readonly Cause[] {
  if (value === null && schema.nullable === true) return [];
  const wrong = wrongType(schema, value);
  if (wrong !== null) return [typeInvalid(path, value, wrong)];
  const own = [...ofEnum(schema, value, path), ...combined(schema, value, path)];
  if (typeof value === 'string') return [...own, ...ofText(schema, value, path)];
  if (typeof value === 'number') return [...own, ...ofNumber(schema, value, path)];
  if (Array.isArray(value)) return [...own, ...ofList(schema, value, path)];
  return isJson(value) ? [...own, ...ofObject(schema, value, path)] : own;
}

/** The type that a value lacks; null when it has it. */
function wrongType(schema: Schema, value: unknown): string | null {
  const type = typeName(value);
  if (schema['x-kubernetes-int-or-string'] === true)
    return type === 'integer' || type === 'string' ? null : 'integer,string';
  if (schema.type === undefined || schema.type === type) return null;
  return schema.type === 'number' && type === 'integer' ? null : schema.type;
}

const ofEnum = (schema: Schema, value: unknown, path: string): readonly Cause[] =>
  schema.enum && !schema.enum.some((one) => same(one, value)) ? [notSupported(path, value, schema.enum)] : [];

function combined({ allOf = [], anyOf, oneOf, not }: Schema, value: unknown, path: string): readonly Cause[] {
  const fits = (schema: Schema) => faultsOf(schema, value, path).length === 0;
  const refuse = (why: string) => [invalidValue(path, '', `${path} in body ${why}`)];
  return [
    ...allOf.flatMap((schema) => faultsOf(schema, value, path)),
    ...(anyOf && !anyOf.some(fits) ? refuse('must validate at least one schema (anyOf)') : []),
    ...(oneOf && oneOf.filter(fits).length !== 1 ? refuse('must validate one and only one schema (oneOf)') : []),
    ...(not && fits(not) ? refuse('must not validate the schema (not)') : []),
  ];
}

const patterns = new Map<string, RegExp>();

function matches(pattern: string, text: string): boolean {
  const known = patterns.get(pattern) ?? new RegExp(pattern, 'u');
  patterns.set(pattern, known);
  return known.test(text);
}

function ofText(schema: Schema, value: string, path: string): readonly Cause[] {
  const { minLength, maxLength, pattern, format } = schema;
  const faults: Cause[] = [];
  const length = minLength === undefined && maxLength === undefined ? 0 : Array.from(value).length;
  if (maxLength !== undefined && length > maxLength) faults.push(tooLong(path, maxLength));
  if (minLength !== undefined && length < minLength)
    faults.push(invalidValue(path, value, `${path} in body should be at least ${minLength} chars long`));
  if (pattern !== undefined && !matches(pattern, value))
    faults.push(invalidValue(path, value, `${path} in body should match '${pattern}'`));
  if (format !== undefined && !hasFormat(format, value))
    faults.push(invalidValue(path, value, `${path} in body must be of type ${format}: ${JSON.stringify(value)}`));
  return faults;
}

function ofNumber(schema: Schema, value: number, path: string): readonly Cause[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = schema;
  const faults: Cause[] = [];
  const refuse = (why: string) => faults.push(invalidValue(path, value, `${path} in body ${why}`));
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum))
    refuse(`should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`);
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum))
    refuse(`should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`);
  if (multipleOf !== undefined && !Number.isInteger(value / multipleOf))
    refuse(`should be a multiple of ${multipleOf}`);
  if (!fitsInteger(format, value)) refuse(`must be of type ${String(format)}: ${JSON.stringify(value)}`);
  return faults;
}

function ofList(schema: Schema, value: readonly unknown[], path: string): readonly Cause[] {
  const { minItems, maxItems, items } = schema;
  const faults: Cause[] = [];
  if (maxItems !== undefined && value.length > maxItems) faults.push(tooMany(path, value.length, maxItems));
  if (minItems !== undefined && value.length < minItems)
    faults.push(invalidValue(path, value.length, `${path} in body should have at least ${minItems} items`));
  if (items) value.forEach((item, index) => faults.push(...faultsOf(items, item, `${path}[${index}]`)));
  return [...faults, ...repeated(schema, value, path)];
}

function repeated(schema: Schema, value: readonly unknown[], path: string): readonly Cause[] {
  const type = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (type !== 'set' && type !== 'map' && schema.uniqueItems !== true) return [];
  const identity = (item: unknown) =>
    type === 'map' ? Object.fromEntries(keys.map((key) => [key, at(item, key)])) : item;
  const known = new Set<string>();
  return value.flatMap((item, index) => {
    const text = JSON.stringify(identity(item));
    if (known.has(text)) return [duplicate(`${path}[${index}]`, identity(item))];
    known.add(text);
    return [];
  });
}

function ofObject(schema: Schema, value: Json, path: string): readonly Cause[] {
  const { properties = {}, additionalProperties, minProperties, maxProperties } = schema;
  const below = (name: string) => (path === '' ? name : `${path}.${name}`);
  const faults = (schema.required ?? [])
    .filter((name) => value[name] === undefined)
    .map((name) => required(below(name)));
  const count = Object.keys(value).length;
  if (maxProperties !== undefined && count > maxProperties) faults.push(tooMany(path, count, maxProperties));
  if (minProperties !== undefined && count < minProperties)
    faults.push(invalidValue(path, count, `${path} in body should have at least ${minProperties} properties`));
  for (const [name, inner] of Object.entries(value)) {
    const known = properties[name];
    if (known) faults.push(...faultsOf(known, inner, below(name)));
    else if (typeof additionalProperties === 'object')
      faults.push(...faultsOf(additionalProperties, inner, below(name)));
  }
  return faults;
}
