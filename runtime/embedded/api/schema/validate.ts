import { type Json, isJson, same } from '../json.ts';
import type { Cause } from '../status.ts';
import { combined } from './combined.ts';
import { invalidValue, notSupported, required, tooLong, tooMany, typeInvalid, typeName, unplaced } from './cause.ts';
import { fitsInteger, hasFormat } from './format.ts';
import type { Schema } from './schema.ts';

/** Every fault of a value by its schema, the rules in CEL and what lists hold twice aside. */
export function faultsOf(schema: Schema, value: unknown, path: string): readonly Cause[] {
  const typed = ofType(schema, value, path);
  if (value === null) return [...typed, ...(schema.nullable === true ? [] : ofEnum(schema, value, path))];
  return [
    ...typed,
    ...combined(schema, path, (inner) => faultsOf(inner, value, path)),
    ...(typeof value === 'string' ? ofText(schema, value, path) : []),
    ...(typeof value === 'number' ? ofNumber(schema, value, path) : []),
    ...(Array.isArray(value) ? ofList(schema, value, path) : []),
    ...ofEnum(schema, value, path),
    ...(isJson(value) ? ofObject(schema, value, path) : []),
  ];
}

const goFormat = (value: unknown) => {
  if (typeof value !== 'number') return '';
  return Number.isInteger(value) ? 'int64' : 'float64';
};

/** A format stands for its type where a value that is no text has neither. */
function ofType(schema: Schema, value: unknown, path: string): readonly Cause[] {
  const found = typeName(value);
  const wanted = schema['x-kubernetes-int-or-string'] === true ? ['integer', 'string'] : [schema.type ?? found];
  if (value === null && (schema.nullable === true || schema.type === undefined)) return [];
  if (wanted.includes(found) || (found === 'integer' && wanted.includes('number'))) return [];
  const { format } = schema;
  const byFormat = format !== undefined && !['string', 'array', 'null'].includes(found);
  return [byFormat ? typeInvalid(path, goFormat(value), format) : typeInvalid(path, found, wanted.join(','))];
}

const ofEnum = (schema: Schema, value: unknown, path: string): readonly Cause[] =>
  schema.enum && !schema.enum.some((one) => same(one, value)) ? [notSupported(path, value, schema.enum)] : [];

const patterns = new Map<string, RegExp>();

function matches(pattern: string, text: string): boolean {
  const known = patterns.get(pattern) ?? new RegExp(pattern, 'u');
  patterns.set(pattern, known);
  return known.test(text);
}

/** Of length and pattern the first fault is told; the format is told beside it. */
function ofText(schema: Schema, value: string, path: string): readonly Cause[] {
  const { format } = schema;
  const first = textFault(schema, value, path);
  return [
    ...(first === null ? [] : [first]),
    ...(format !== undefined && !hasFormat(format, value) ? [typeInvalid(path, value, format)] : []),
  ];
}

function textFault({ minLength, maxLength, pattern }: Schema, value: string, path: string): Cause | null {
  const length = minLength === undefined && maxLength === undefined ? 0 : Array.from(value).length;
  if (maxLength !== undefined && length > maxLength) return tooLong(path, maxLength);
  if (minLength !== undefined && length < minLength)
    return invalidValue(path, value, `${path} in body should be at least ${minLength} chars long`);
  if (pattern !== undefined && !matches(pattern, value))
    return invalidValue(path, value, `${path} in body should match '${pattern}'`);
  return null;
}

function ofNumber(schema: Schema, value: number, path: string): readonly Cause[] {
  const { type, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = schema;
  const faults: Cause[] = [];
  const refuse = (why: string) => faults.push(invalidValue(path, value, `${path} in body ${why}`));
  if (type === 'integer' && !(Number.isInteger(value) && fitsInteger(format, value)))
    faults.push(unplaced(`Checked value must be of type integer${format ? ` with format ${format}` : ''} in ${path}`));
  if (multipleOf !== undefined && !Number.isInteger(value / multipleOf))
    refuse(`should be a multiple of ${multipleOf}`);
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum))
    refuse(`should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`);
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum))
    refuse(`should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`);
  return faults;
}

function ofList(schema: Schema, value: readonly unknown[], path: string): readonly Cause[] {
  const { minItems, maxItems, items } = schema;
  return [
    ...(items ? value.flatMap((item, index) => faultsOf(items, item, `${path}[${index}]`)) : []),
    ...(minItems !== undefined && value.length < minItems
      ? [invalidValue(path, value.length, `${path} in body should have at least ${minItems} items`)]
      : []),
    ...(maxItems !== undefined && value.length > maxItems ? [tooMany(path, value.length, maxItems)] : []),
  ];
}

function ofObject(schema: Schema, value: Json, path: string): readonly Cause[] {
  const { properties = {}, additionalProperties, minProperties, maxProperties } = schema;
  const below = (name: string) => (path === '' ? name : `${path}.${name}`);
  const faults: Cause[] = [];
  const count = Object.keys(value).length;
  if (minProperties !== undefined && count < minProperties)
    faults.push(invalidValue(path, count, `${path} in body should have at least ${minProperties} properties`));
  if (maxProperties !== undefined && count > maxProperties) faults.push(tooMany(path, count, maxProperties));
  for (const [name, inner] of Object.entries(value)) {
    const known = properties[name];
    if (known) faults.push(...faultsOf(known, inner, below(name)));
    else if (typeof additionalProperties === 'object')
      faults.push(...faultsOf(additionalProperties, inner, below(name)));
  }
  const missing = (schema.required ?? []).filter((name) => value[name] === undefined);
  return [...faults, ...missing.map((name) => required(below(name)))];
}
