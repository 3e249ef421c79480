import type { TObject, TSchema } from '@sinclair/typebox';
import { Ajv, type ValidateFunction } from 'ajv';
import { expected } from './words.ts';

/** Fields as they were asked with, or what is wrong with the first that is wrong. */
export type Checked =
  | { readonly is: 'right'; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly is: 'wrong'; readonly says: string };

const ajv = new Ajv({ strict: true, allowUnionTypes: true, ownProperties: true });
const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/;
ajv.addFormat('date-time', { validate: (text: string) => rfc3339.test(text) && !Number.isNaN(Date.parse(text)) });

const validators = new WeakMap<TSchema, ValidateFunction>();

/** Compiled when first asked for: a server that starts answers before it knows every schema. */
function validatorOf(schema: TSchema): ValidateFunction {
  const known = validators.get(schema);
  if (known) return known;
  const made = ajv.compile(schema);
  validators.set(schema, made);
  return made;
}

const shownName = (name: string): string => (/^[\w.-]{1,80}$/.test(name) ? name : JSON.stringify(name.slice(0, 80)));

/** Holds fields against a schema; names at the top that no schema has are left to the caller. */
export function check(schema: TObject, fields: Readonly<Record<string, unknown>>): Checked {
  const validate = validatorOf(schema);
  if (validate(fields)) return { is: 'right', fields };
  const { instancePath = '', params = {} } = validate.errors?.[0] ?? {};
  return { is: 'wrong', says: saidOf(schema, pathOf(instancePath), params) };
}

/** A JSON pointer, taken apart. */
const pathOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

function saidOf(schema: TObject, path: readonly string[], params: Readonly<Record<string, unknown>>): string {
  const called = (...more: readonly string[]) => [...path, ...more].map(shownName).join('.');
  const { missingProperty: missing, additionalProperty: strange } = params;
  if (typeof missing === 'string') return `${called(missing)} is required`;
  if (typeof strange === 'string') return `${called(strange)} is no field of this request`;
  const property = schemaAt(schema, path);
  return property && path.length > 0 ? `${called()} must be ${expected(property)}` : 'the fields are not valid';
}

/** The schema of what stands at a path: a field, a value of a map, or an element of a list. */
const schemaAt = (schema: TSchema, path: readonly string[]): TSchema | undefined =>
  path.reduce<TSchema | undefined>((within, name) => {
    const { properties = {}, additionalProperties, items } = (within ?? {}) as Inside;
    if (Object.hasOwn(properties, name)) return properties[name];
    return items ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
  }, schema);

interface Inside {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly additionalProperties?: TSchema | boolean;
  readonly items?: TSchema;
}

/** A field that no schema has, in words; null where there is none. Names of prototypes are names like any other. */
export function strangeField(schema: TObject, fields: object): string | null {
  const strange = Object.keys(fields).find((name) => !Object.hasOwn(schema.properties, name));
  return strange === undefined ? null : `${shownName(strange)} is no field of this request`;
}

const valueOf = (schema: TSchema, word: string): unknown => {
  if (schema['type'] === 'integer') return /^\d+$/.test(word) ? Number(word) : word;
  if (schema['type'] === 'boolean') return word === 'true' ? true : word === 'false' ? false : word;
  return word;
};

/**
 * What a query or a form holds of a schema's fields, as the values they stand for. Of what no schema has nothing is
 * taken; a field that is given twice is wrong, for nobody can say which one was meant.
 */
export function valuesOf(schema: TObject, words: URLSearchParams): Checked {
  const fields: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const [word, ...more] = words.getAll(name);
    if (more.length > 0) return { is: 'wrong', says: `${name} is given more than once` };
    if (word !== undefined && word !== '') fields[name] = valueOf(property, word);
  }
  return { is: 'right', fields };
}
