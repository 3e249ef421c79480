import { isLike } from '../cel/functions/regex.ts';
import { type Json, isJson, same } from '../json.ts';
import type { Cause } from '../status.ts';
import { combined, isCombined } from './combined.ts';
import { invalidValue, notSupported, required, tooLong, tooMany, typeInvalid, typeName, unplaced } from './cause.ts';
import { fitsInteger, hasFormat } from './format.ts';
import { oldItemOf } from './oldItem.ts';
import type { Schema } from './schema.ts';

/**
 * Every fault of a value by its schema, the rules in CEL and what lists hold twice aside. What stood there before has none,
 * so that what was stored under an older definition can still be written.
 */
export function faultsOf(schema: Schema, value: unknown, path: string, before?: unknown): readonly Cause[] {
  const faults: Cause[] = [];
  judge({ schema, value, path, before }, faults);
  return faults;
}

/** A value at its place, with what stood there before; undefined where nothing did. */
interface Placed<V = unknown> {
  readonly schema: Schema;
  readonly value: V;
  readonly path: string;
  readonly before: unknown;
}

/** Adds to the faults that were found before: most values have none, and a list for each of them would be in vain. */
function judge({ schema, value, path, before }: Placed, faults: Cause[]): void {
  if (before !== undefined && same(value, before)) return;
  const ofItsType = typeFault(schema, value, path);
  if (ofItsType) faults.push(ofItsType);
  if (value === null) {
    if (schema.nullable !== true) judgeEnum(schema, value, path, faults);
    return;
  }
  if (isCombined(schema)) faults.push(...combined(schema, path, (inner) => faultsOf(inner, value, path, before)));
  if (typeof value === 'string') judgeText(schema, value, path, faults);
  else if (typeof value === 'number') judgeNumber(schema, value, path, faults);
  else if (Array.isArray(value)) judgeList({ schema, value, path, before }, faults);
  judgeEnum(schema, value, path, faults);
  if (isJson(value)) judgeObject({ schema, value, path, before }, faults);
}

const goFormat = (value: unknown) => {
  if (typeof value !== 'number') return '';
  return Number.isInteger(value) ? 'int64' : 'float64';
};

/** A format stands for its type where a value that is no text has neither. */
function typeFault(schema: Schema, value: unknown, path: string): Cause | null {
  const found = typeName(value);
  const isEither = schema['x-kubernetes-int-or-string'] === true;
  const { type = found, format } = schema;
  if (value === null && (schema.nullable === true || schema.type === undefined)) return null;
  if (isEither ? found === 'integer' || found === 'string' : found === type) return null;
  if (!isEither && found === 'integer' && type === 'number') return null;
  const byFormat = format !== undefined && !['string', 'array', 'null'].includes(found);
  return byFormat
    ? typeInvalid(path, goFormat(value), format)
    : typeInvalid(path, found, isEither ? 'integer,string' : type);
}

function judgeEnum(schema: Schema, value: unknown, path: string, faults: Cause[]): void {
  if (schema.enum && !schema.enum.some((one) => same(one, value))) faults.push(notSupported(path, value, schema.enum));
}

/** Of length and pattern the first fault is reported; that of the format in addition. */
function judgeText(schema: Schema, value: string, path: string, faults: Cause[]): void {
  const { format } = schema;
  const first = textFault(schema, value, path);
  if (first !== null) faults.push(first);
  if (format !== undefined && !hasFormat(format, value)) faults.push(typeInvalid(path, value, format));
}

function textFault({ minLength, maxLength, pattern }: Schema, value: string, path: string): Cause | null {
  const length = minLength === undefined && maxLength === undefined ? 0 : Array.from(value).length;
  if (maxLength !== undefined && length > maxLength) return tooLong(path, maxLength);
  if (minLength !== undefined && length < minLength)
    return invalidValue(path, value, `${path} in body should be at least ${minLength} chars long`);
  if (pattern !== undefined && !isLike(pattern, value))
    return invalidValue(path, value, `${path} in body should match '${pattern}'`);
  return null;
}

function judgeNumber(schema: Schema, value: number, path: string, faults: Cause[]): void {
  const { type, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = schema;
  const refuse = (why: string) => faults.push(invalidValue(path, value, `${path} in body ${why}`));
  if (type === 'integer' && !(Number.isInteger(value) && fitsInteger(format, value)))
    faults.push(unplaced(`Checked value must be of type integer${format ? ` with format ${format}` : ''} in ${path}`));
  if (multipleOf !== undefined && !Number.isInteger(value / multipleOf))
    refuse(`should be a multiple of ${multipleOf}`);
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum))
    refuse(`should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`);
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum))
    refuse(`should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`);
}

function judgeList({ schema, value, path, before }: Placed<readonly unknown[]>, faults: Cause[]): void {
  const { minItems, maxItems, items } = schema;
  const oldOf = oldItemOf(schema, before);
  if (items)
    for (const [index, item] of value.entries())
      judge({ schema: items, value: item, path: `${path}[${index}]`, before: oldOf(item) }, faults);
  if (minItems !== undefined && value.length < minItems)
    faults.push(invalidValue(path, value.length, `${path} in body should have at least ${minItems} items`));
  if (maxItems !== undefined && value.length > maxItems) faults.push(tooMany(path, value.length, maxItems));
}

function judgeObject({ schema, value, path, before }: Placed<Json>, faults: Cause[]): void {
  const { properties, additionalProperties, minProperties, maxProperties } = schema;
  const below = (name: string) => (path === '' ? name : `${path}.${name}`);
  const old = isJson(before) ? before : {};
  const names = Object.keys(value);
  const count = names.length;
  if (minProperties !== undefined && count < minProperties)
    faults.push(invalidValue(path, count, `${path} in body should have at least ${minProperties} properties`));
  if (maxProperties !== undefined && count > maxProperties) faults.push(tooMany(path, count, maxProperties));
  for (const name of names) {
    const known = properties?.[name] ?? additionalProperties;
    if (typeof known === 'object')
      judge({ schema: known, value: value[name], path: below(name), before: old[name] }, faults);
  }
  for (const name of schema.required ?? []) if (value[name] === undefined) faults.push(required(below(name)));
}
