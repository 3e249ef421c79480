import * as fc from 'fast-check';
import type { Schema } from '../../../crds/schema.ts';
import { patternsOf, rulesOf } from './schemaRules.ts';

/** Meaningful values in the tested platform, by the field that takes them. */
const words: Readonly<Record<string, readonly string[]>> = {
  app: ['till', 'shop'],
  project: ['demo', 'nobody'],
  environment: ['production', 'staging'],
  environments: ['production', 'staging'],
  name: ['host', 'host-token', 'logs', 'logs-keys', 'local', 'git-app', 'nobody'],
  repository: ['demo/shop', 'registry.local/apps/shop', 'https://git.example/demo/shop.git', 'no repository'],
  branch: ['main', ''],
  commit: ['a'.repeat(40), 'b'.repeat(40), ''],
  revision: ['a'.repeat(40), ''],
  context: ['', '/shop', '../..'],
  registry: ['registry.local/apps/shop', ''],
};
const anyWords = ['', 'x', 'some words', 'Ünïcode ✓', 'line\nline', '{{ }}', 'a'.repeat(300)];
const keys = ['cpu', 'memory', 'A_KEY'];

function textOf(schema: Schema, name: string): fc.Arbitrary<string> {
  const { enum: choice, minLength = 0, maxLength = Infinity, format } = schema;
  if (choice) return fc.constantFrom(...choice);
  if (format === 'date-time') return fc.constant('2026-01-01T00:00:00Z');
  const { required, refused } = patternsOf(schema);
  const isRight = (text: string) =>
    Array.from(text).length >= minLength &&
    Array.from(text).length <= maxLength &&
    required.every((pattern) => pattern.test(text)) &&
    !refused.some((pattern) => pattern.test(text));
  const known = [...(words[name] ?? []), ...(words[name] ? [] : anyWords)].filter(isRight);
  const drawn = required.map((pattern) => fc.stringMatching(pattern).filter(isRight));
  return fc.oneof(...known.map((text) => fc.constant(text)), ...drawn);
}

function numberOf({ minimum, maximum, format }: Schema): fc.Arbitrary<number> {
  const least = minimum ?? (format === 'int64' ? -(2 ** 53) + 1 : -(2 ** 31));
  const most = maximum ?? (format === 'int64' ? 2 ** 53 - 1 : 2 ** 31 - 1);
  return fc.oneof(fc.constant(least), fc.constant(most), fc.integer({ min: least, max: most }));
}

function listOf(schema: Schema, name: string): fc.Arbitrary<unknown> {
  const { items = {}, minItems = 0, maxItems = 3 } = schema;
  const keysOf = schema['x-kubernetes-list-map-keys'] ?? [];
  const isUnique = ['set', 'map'].includes(schema['x-kubernetes-list-type'] ?? '');
  const identity = (item: unknown) =>
    JSON.stringify(keysOf.length === 0 ? item : keysOf.map((key) => (item as Record<string, unknown>)[key]));
  const size = { minLength: minItems, maxLength: Math.min(maxItems, minItems + 2) };
  return isUnique
    ? fc.uniqueArray(valid(items, name), { ...size, selector: identity })
    : fc.array(valid(items, name), size);
}

function objectOf(schema: Schema): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  if (additionalProperties) return fc.dictionary(fc.constantFrom(...keys), valid(additionalProperties), { maxKeys: 2 });
  const { alternatives, keep } = rulesOf(schema);
  const fields = (chosen: string | null) =>
    fc
      .record(
        Object.fromEntries(
          Object.entries(properties)
            .filter(([name]) => !alternatives.includes(name) || name === chosen)
            .map(([name, inner]) => [name, valid(inner, name)] as const),
        ),
        { requiredKeys: chosen === null ? [...required] : [...required, chosen] },
      )
      .map(keep);
  return alternatives.length === 0 ? fields(null) : fc.constantFrom(...alternatives).chain(fields);
}

/** Values that a schema allows for the field of that name. */
export function valid(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  if (schema['x-kubernetes-int-or-string'] === true) return fc.constantFrom<unknown>(0, 3, '250m', '512Mi', '1.5');
  switch (schema.type) {
    case 'string':
      return textOf(schema, name);
    case 'integer':
      return numberOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return listOf(schema, name);
    default:
      return objectOf(schema);
  }
}
