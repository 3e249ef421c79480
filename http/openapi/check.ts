import type { TObject, TSchema } from '@sinclair/typebox';
import { Ajv, type ValidateFunction } from 'ajv';
import { expected } from './expected.ts';

/** The parsed fields, or what is wrong with the first invalid one. */
export type Checked =
  | { readonly is: 'right'; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly is: 'wrong'; readonly message: string };

const ajv = new Ajv({ strict: true, allowUnionTypes: true, ownProperties: true });
// Rules of a kind are the API's to check.
ajv.addKeyword('x-kubernetes-validations');
const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/;
ajv.addFormat('date-time', { validate: (text: string) => rfc3339.test(text) && !Number.isNaN(Date.parse(text)) });

const validators = new WeakMap<TSchema, ValidateFunction>();

/** Compiled on first use, so that a starting server responds before all schemas are compiled. */
function validatorOf(schema: TSchema): ValidateFunction {
  const known = validators.get(schema);
  if (known) return known;
  const validator = ajv.compile(schema);
  validators.set(schema, validator);
  return validator;
}

const shownName = (name: string): string => (/^[\w.-]{1,80}$/.test(name) ? name : JSON.stringify(name.slice(0, 80)));

const unknownField = (path: readonly string[]): string =>
  `unknown field ${JSON.stringify(path.join('.').slice(0, 80))}`;

/** Validates fields against a schema; unknown names at the top are left to the caller. */
export function check(schema: TObject, fields: Readonly<Record<string, unknown>>): Checked {
  const validate = validatorOf(schema);
  if (validate(fields)) return { is: 'right', fields };
  const { instancePath = '', params = {} } = validate.errors?.[0] ?? {};
  return { is: 'wrong', message: messageFor(schema, pathOf(instancePath), params) };
}

/** The parts of a JSON pointer. */
const pathOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

function messageFor(schema: TObject, path: readonly string[], params: Readonly<Record<string, unknown>>): string {
  const called = (...more: readonly string[]) => [...path, ...more].map(shownName).join('.');
  const { missingProperty: missing, additionalProperty: undeclared } = params;
  if (typeof missing === 'string') return `${called(missing)} is required`;
  if (typeof undeclared === 'string') return unknownField([...path, undeclared]);
  const property = schemaAt(schema, path);
  return property && path.length > 0 ? `${called()} must be ${expected(property)}` : 'the fields are not valid';
}

/** The schema at a path: of a field, a value of a map, or an element of a list. */
const schemaAt = (schema: TSchema, path: readonly string[]): TSchema | undefined =>
  path.reduce<TSchema | undefined>((within, name) => {
    const { properties = {}, additionalProperties, items, anyOf } = (within ?? {}) as Inside;
    if (anyOf) return anyOf.map((one) => schemaAt(one, [name])).find((one) => one !== undefined);
    if (Object.hasOwn(properties, name)) return properties[name];
    return items ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
  }, schema);

interface Inside {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly additionalProperties?: TSchema | boolean;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
}

/**
 * The message about an undeclared field; null where there is none. Names of `Object.prototype` get no special
 * treatment.
 */
export function undeclaredField(schema: TObject, fields: object): string | null {
  const undeclared = Object.keys(fields).find((name) => !Object.hasOwn(schema.properties, name));
  return undeclared === undefined ? null : unknownField([undeclared]);
}

const isOf = (schema: TSchema, type: string): boolean =>
  schema['type'] === type ||
  ((schema['anyOf'] as readonly TSchema[] | undefined)?.some((one) => isOf(one, type)) ?? false);

const valueOf = (schema: TSchema, word: string): unknown => {
  if (isOf(schema, 'integer') && /^\d+$/.test(word)) return Number(word);
  if (isOf(schema, 'boolean') && /^(true|false)$/.test(word)) return word === 'true';
  return word;
};

/** An empty word is a value of a text that has to be given; of any other field it is the same as none. */
const isPresent = ({ required = [] }: TObject, [name, property]: readonly [string, TSchema], word: string): boolean =>
  word !== '' || (required.includes(name) && isOf(property, 'string'));

/**
 * The schema's fields in a query or a form, as typed values. Unknown names are ignored; a field that is given twice is
 * invalid, because its meaning is ambiguous.
 */
export function valuesOf(schema: TObject, words: URLSearchParams): Checked {
  const fields: Record<string, unknown> = {};
  for (const entry of Object.entries(schema.properties)) {
    const [name, property] = entry;
    const [word, ...more] = words.getAll(name);
    if (more.length > 0) return { is: 'wrong', message: `${name} is given more than once` };
    if (word !== undefined && isPresent(schema, entry, word)) fields[name] = valueOf(property, word);
  }
  return { is: 'right', fields };
}
