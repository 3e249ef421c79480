import type { Schema } from '../../../crds/schema.ts';
import { patternsOf, rulesOf } from './schemaRules.ts';
import type { Fields } from './merge.ts';

/** A spec with one error: the field that a refusal must name, and the error. */
export interface Broken {
  readonly field: string;
  readonly what: string;
  readonly spec: unknown;
}

/** A place in a valid spec: its value, and a function that replaces it in the whole spec. */
interface Place {
  readonly path: string;
  readonly value: unknown;
  readonly put: (value: unknown) => unknown;
}

const asFields = (value: unknown): Fields => value as Fields;
const without = (fields: Fields, name: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([one]) => one !== name));
const below = ({ path, value, put }: Place, name: string): Place => ({
  path: `${path}.${name}`,
  value: asFields(value)[name],
  put: (inner) => put({ ...asFields(value), [name]: inner }),
});

const ofAnotherType: Readonly<Record<string, unknown>> = {
  string: 7,
  integer: 'seven',
  boolean: 'yes',
  array: 'not a list',
  object: 'not an object',
};

/** The minimal value that a schema allows. */
function least(schema: Schema): unknown {
  const { type, enum: choice, minLength = 0, minimum = 0, minItems = 0, items = {}, properties = {} } = schema;
  if (type === 'string') return choice?.[0] ?? 'x'.repeat(minLength);
  if (type === 'integer') return minimum;
  if (type === 'boolean') return false;
  if (type === 'array') return Array.from({ length: minItems }, () => least(items));
  const names = schema.required ?? [];
  return Object.fromEntries(names.map((name) => [name, least(properties[name] ?? {})]));
}

function texts(schema: Schema): readonly (readonly [string, string])[] {
  const { enum: choice, minLength = 0, maxLength, format } = schema;
  return [
    ...(choice ? [['none of the choices', 'no-such-choice'] as const] : []),
    ...(minLength > 0 ? [['too short', 'x'.repeat(minLength - 1)] as const] : []),
    ...(maxLength === undefined ? [] : [['too long', 'x'.repeat(maxLength + 1)] as const]),
    ...(patternsOf(schema).required.length === 0 ? [] : [['of another pattern', '§ §'] as const]),
    ...(format === 'date-time' ? [['no time', 'yesterday'] as const] : []),
  ];
}

function counts({ minimum, maximum, format }: Schema): readonly (readonly [string, number])[] {
  return [
    ['not whole', 1.5],
    ...(minimum === undefined ? [] : [['below its least', minimum - 1] as const]),
    ...(maximum === undefined ? [] : [['above its most', maximum + 1] as const]),
    ...(format === 'int32' ? [['beyond 32 bits', 2 ** 31] as const] : []),
  ];
}

function lists(schema: Schema, value: readonly unknown[]): readonly (readonly [string, unknown])[] {
  const { minItems = 0, maxItems, items = {} } = schema;
  const isUnique = ['set', 'map'].includes(schema['x-kubernetes-list-type'] ?? '');
  const more = (count: number) => Array.from({ length: count }, () => value[0] ?? least(items));
  return [
    ...(minItems > 0 ? [['too few', value.slice(0, minItems - 1)] as const] : []),
    ...(maxItems === undefined ? [] : [['too many', more(maxItems + 1)] as const]),
    ...(isUnique && value.length > 0 ? [['the same twice', [...value, value[0]]] as const] : []),
  ];
}

function* ofFields(schema: Schema, place: Place): Generator<Broken> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const { path, put } = place;
  const value = asFields(place.value);
  for (const name of required) yield { field: `${path}.${name}`, what: 'missing', spec: put(without(value, name)) };
  const { alternatives } = rulesOf(schema);
  const [chosen = ''] = alternatives.filter((name) => name in value);
  if (chosen !== '')
    yield { field: path, what: 'none of those of which one must be', spec: put(without(value, chosen)) };
  for (const name of alternatives.filter((one) => one !== chosen)) {
    const both = { ...value, [name]: least(properties[name] ?? {}) };
    yield { field: path, what: `both ${chosen} and ${name}`, spec: put(both) };
  }
  for (const name of Object.keys(value)) {
    const inner = properties[name] ?? additionalProperties;
    if (inner) yield* brokenAt(inner, below(place, name));
  }
}

function* brokenAt(schema: Schema, place: Place): Generator<Broken> {
  const { path: field, value, put } = place;
  const type = schema['x-kubernetes-int-or-string'] === true ? 'quantity' : (schema.type ?? 'object');
  yield { field, what: 'of another type', spec: put(type === 'quantity' ? true : ofAnotherType[type]) };
  const wrong =
    type === 'string'
      ? texts(schema)
      : type === 'integer'
        ? counts(schema)
        : Array.isArray(value)
          ? lists(schema, value as readonly unknown[])
          : [];
  for (const [what, other] of wrong) yield { field, what, spec: put(other) };
  if (type === 'object') yield* ofFields(schema, place);
  if (!Array.isArray(value)) return;
  const list = value as readonly unknown[];
  for (const [index, item] of list.entries())
    if (schema.items)
      yield* brokenAt(schema.items, {
        path: `${field}[${index}]`,
        value: item,
        put: (inner) => put(list.with(index, inner)),
      });
}

/** Every spec with a single error that can be made from a valid one. */
export const brokenOf = (schema: Schema, spec: unknown): readonly Broken[] => [
  ...brokenAt(schema, { path: 'spec', value: spec, put: (value) => value }),
];

/** A valid spec with a field that its kind does not have. */
export const withUnknown = (spec: unknown): unknown => ({ ...asFields(spec), noSuchField: { inner: 1 } });
