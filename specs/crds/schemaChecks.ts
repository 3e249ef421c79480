import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';

const folder = new URL('../../crds/schemas/core.platform/', import.meta.url);

/** The JSON Schemas as they lie in crds/schemas, by the names of their files. */
export const schemas: ReadonlyMap<string, object> = new Map(
  readdirSync(folder).map((name) => [name, JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as object]),
);

/** Of draft 7, and of no keyword that the draft does not have. */
export const draft7 = new Ajv({ allErrors: true, strict: true, strictTypes: false });
formats.default(draft7);
for (const [name, schema] of schemas) draft7.addSchema(schema, name);

/** What a schema says against a value, each fault as `<path> <why>`; empty where it says nothing. */
export function faultsOf(name: string, value: unknown): readonly string[] {
  const check = draft7.getSchema(name);
  if (!check) throw new Error(`there is no schema ${name}`);
  if (check(value) === true) return [];
  return (check.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${instancePath} ${message} ${JSON.stringify((params as { additionalProperty?: string }).additionalProperty ?? '')}`,
  );
}
