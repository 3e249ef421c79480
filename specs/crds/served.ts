import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { parse, parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../crds/kind.ts';
import { kinds } from '../../crds/kinds.ts';
import type { CustomResourceDefinition } from '../../crds/manifest.ts';
import { manifestFile } from '../../crds/manifestFile.ts';
import type { Schema } from '../../crds/schema.ts';

const read = (path: string) => readFileSync(new URL(`../../crds/${path}`, import.meta.url), 'utf8');

const manifests = new Map(
  kinds.map((kind) => [kind.plural, parse(manifestFile(kind).text) as CustomResourceDefinition]),
);

/** The manifest of a kind as its schema defines it, whether the file of it was generated anew or not. */
export function served(plural: string): CustomResourceDefinition {
  const found = manifests.get(plural);
  if (!found) throw new Error(`there is no kind ${plural}`);
  return found;
}

export const schemaOf = (plural: string): Schema => {
  const schema = served(plural).spec.versions[0]?.schema.openAPIV3Schema;
  if (!schema) throw new Error(`${plural} has no schema`);
  return schema;
};

/** Every path of a schema with its schema: `spec.webhooks[].url`, `spec.config{}`. */
export function paths(schema: Schema, prefix = ''): ReadonlyMap<string, Schema> {
  const below = Object.entries(schema.properties ?? {}).map(
    ([name, s]) => [prefix ? `${prefix}.${name}` : name, s] as const,
  );
  if (schema.items) below.push([`${prefix}[]`, schema.items]);
  if (schema.additionalProperties) below.push([`${prefix}{}`, schema.additionalProperties]);
  return new Map(below.flatMap(([path, s]) => [[path, s] as const, ...paths(s, path)]));
}

/** The schema at a path of `paths`. */
export function schemaAt(plural: string, path: string): Schema {
  const found = paths(schemaOf(plural)).get(path);
  if (!found) throw new Error(`${plural} has no ${path}`);
  return found;
}

/** The names of the fields directly below a path, sorted. */
export const below = (plural: string, path: string) => Object.keys(schemaAt(plural, path).properties ?? {}).sort();

/** Words written as one text, sorted. */
export const words = (text: string) => text.trim().split(/\s+/).sort();

/** The names of the fields of the spec or the status, without list items. */
export const fieldsOf = (plural: string, part: 'spec' | 'status') =>
  [...paths(schemaOf(plural)).keys()]
    .filter((path) => path.startsWith(`${part}.`) && !/(\[\]|\{\})$/.test(path))
    .sort();

const ajv = new Ajv({ allErrors: true, strict: false, useDefaults: true });
formats.default(ajv);
const compiled = new Map<string, ReturnType<Ajv['compile']>>();

/** Why a cluster would refuse an object, CEL rules aside; empty when it would not. */
export const refusals = (plural: string, object: object) => admit(plural, object).refused;

/** The value at a path of the object after its defaults were filled in. */
export const admitted = (plural: string, object: object, path: string) =>
  path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], admit(plural, object).object);

function admit(plural: string, object: object): { readonly object: unknown; readonly refused: readonly string[] } {
  const check = compiled.get(plural) ?? ajv.compile(schemaOf(plural));
  compiled.set(plural, check);
  const copy: unknown = structuredClone(object);
  const errors = check(copy) === true ? [] : (check.errors ?? []);
  return { object: copy, refused: errors.map(({ instancePath, message }) => `${instancePath} ${message}`) };
}

/** Fields of an object that its schema does not know and a cluster would drop. */
export function unknownFields(schema: Schema, value: unknown, at = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => unknownFields(schema.items ?? {}, item, `${at}[${i}]`));
  if (typeof value !== 'object' || value === null || !schema.properties) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const known = schema.properties?.[name];
    if (!known) return [`${at}.${name}`];
    return name === 'metadata' && at === '' ? [] : unknownFields(known, inner, `${at}.${name}`);
  });
}

/** The objects of a file with several documents. */
export const documents = (path: string) =>
  parseAllDocuments(read(path)).map((document) => document.toJS() as KubeObject & Record<string, unknown>);
