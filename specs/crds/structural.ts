import type { Schema } from '../../crds/schema.ts';
import { words } from './served.ts';

const allowed = new Set(
  words(`type description default enum format pattern minimum maximum minLength maxLength minItems maxItems
    nullable required properties additionalProperties items anyOf x-kubernetes-int-or-string
    x-kubernetes-preserve-unknown-fields x-kubernetes-list-type x-kubernetes-list-map-keys
    x-kubernetes-validations`),
);
const types = ['string', 'integer', 'number', 'boolean', 'object', 'array'];
const formats = ['date-time', 'int32', 'int64'];
const scalars = ['string', 'integer', 'number', 'boolean'];
const intOrString = JSON.stringify([{ type: 'integer' }, { type: 'string' }]);

/** Why a kube-apiserver would refuse a schema as not structural, or with defaults that cannot be. */
export function faults(schema: Schema, at = ''): readonly string[] {
  const own = rules.filter(({ broken }) => broken(schema, at)).map(({ says }) => `${at === '' ? 'root' : at}: ${says}`);
  const unknown = Object.keys(schema)
    .filter((key) => !allowed.has(key))
    .map((key) => `${at}: ${key} is not allowed`);
  const below = [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => faults(inner, `${at}.${name}`)),
    ...(schema.items ? faults(schema.items, `${at}[]`) : []),
    ...(schema.additionalProperties ? faults(schema.additionalProperties, `${at}{}`) : []),
  ];
  return [...own, ...unknown, ...below];
}

interface Rule {
  readonly says: string;
  readonly broken: (schema: Schema, at: string) => boolean;
}

const rules: readonly Rule[] = [
  {
    says: 'needs a type, unless it is int-or-string or preserves unknown fields',
    broken: (s) =>
      s.type === undefined
        ? !s['x-kubernetes-int-or-string'] && !s['x-kubernetes-preserve-unknown-fields']
        : !types.includes(s.type),
  },
  {
    says: 'int-or-string takes no type',
    broken: (s) => s['x-kubernetes-int-or-string'] === true && s.type !== undefined,
  },
  {
    says: 'anyOf is allowed for int-or-string only',
    broken: (s) =>
      s.anyOf !== undefined && !(s['x-kubernetes-int-or-string'] && JSON.stringify(s.anyOf) === intOrString),
  },
  { says: 'the root is an object', broken: (s, at) => at === '' && s.type !== 'object' },
  {
    says: 'metadata may not be specified',
    broken: (s, at) => at === '.metadata' && JSON.stringify(s) !== '{"type":"object"}',
  },
  {
    says: 'properties and additionalProperties exclude each other',
    broken: (s) => !!s.properties && !!s.additionalProperties,
  },
  {
    says: 'only objects have properties',
    broken: (s) => !!(s.properties ?? s.additionalProperties) && s.type !== 'object',
  },
  {
    says: 'an array needs items, and nothing else has them',
    broken: (s) => (s.type === 'array') !== (s.items !== undefined),
  },
  {
    says: 'an object that specifies nothing loses everything',
    broken: (s, at) =>
      s.type === 'object' &&
      at !== '.metadata' &&
      !s.properties &&
      !s.additionalProperties &&
      !s['x-kubernetes-preserve-unknown-fields'],
  },
  { says: 'a required field is no property', broken: (s) => !!s.required?.some((name) => !s.properties?.[name]) },
  { says: 'a format is unknown', broken: (s) => s.format !== undefined && !formats.includes(s.format) },
  {
    says: 'an enum is empty or repeats itself',
    broken: (s) => !!s.enum && new Set(s.enum).size !== (s.enum.length || -1),
  },
  { says: 'the default is not valid', broken: (s) => s.default !== undefined && !fits(s, s.default) },
  {
    says: 'items of a set are scalars',
    broken: (s) => s['x-kubernetes-list-type'] === 'set' && !scalars.includes(s.items?.type ?? ''),
  },
  {
    says: 'keys of a list map are required scalars',
    broken: (s) =>
      (s['x-kubernetes-list-type'] === 'map') !== (s['x-kubernetes-list-map-keys'] !== undefined) ||
      !!s['x-kubernetes-list-map-keys']?.some((key) => {
        const field = s.items?.properties?.[key];
        const present = s.items?.required?.includes(key) || field?.default !== undefined;
        return !present || !scalars.includes(field?.type ?? '');
      }),
  },
  { says: 'list types are for arrays', broken: (s) => s['x-kubernetes-list-type'] !== undefined && s.type !== 'array' },
  { says: 'the pattern is not RE2', broken: (s) => s.pattern !== undefined && /\(\?(?!:)|\\[1-9]/.test(s.pattern) },
  {
    says: 'a rule uses a reserved word of CEL or has no message',
    broken: (s) => !!s['x-kubernetes-validations']?.some(({ rule, message }) => reserved.test(rule) || message === ''),
  },
];

const reserved =
  /\.(true|false|null|in|as|break|const|continue|else|for|function|if|import|let|loop|package|namespace|return)\b/;

/** A default stands for itself: it is checked before the defaults inside it are filled in. */
function fits(schema: Schema, value: unknown): boolean {
  if (schema.type === 'object')
    return (
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      (schema.required ?? []).every((name) => name in value) &&
      Object.entries(value).every(([name, inner]) => schema.properties?.[name] && fits(schema.properties[name], inner))
    );
  if (schema.type === 'array') return Array.isArray(value) && value.every((item) => fits(schema.items ?? {}, item));
  if (schema.enum) return schema.enum.includes(String(value));
  if (schema.type === 'integer')
    return (
      Number.isInteger(value) &&
      Number(value) >= (schema.minimum ?? -Infinity) &&
      Number(value) <= (schema.maximum ?? Infinity)
    );
  return typeof value === schema.type;
}
