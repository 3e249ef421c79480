import type { Cause } from '../status.ts';
import { unplaced } from './cause.ts';
import type { Schema } from './schema.ts';

type Check = (schema: Schema) => readonly Cause[];

export const isCombined = ({ allOf, anyOf, oneOf, not }: Schema): boolean =>
  (allOf ?? anyOf ?? oneOf ?? not) !== undefined;

/** The faults of a value by the schemas that a schema is combined of. */
export function combined(schema: Schema, path: string, check: Check): readonly Cause[] {
  const { allOf, anyOf, oneOf, not } = schema;
  return [
    ...(anyOf ? ofAny(anyOf, path, check) : []),
    ...(oneOf ? ofOne(oneOf, path, check) : []),
    ...(allOf ? ofAll(allOf, path, check) : []),
    ...(not && check(not).length === 0 ? [refused(path, 'must not validate the schema (not)')] : []),
  ];
}

const refused = (path: string, why: string) => unplaced(`${JSON.stringify(path)} ${why}`);

/** Of several that fail, the faults of the nearest are reported. */
const nearest = (faults: readonly (readonly Cause[])[]) =>
  faults.reduce((best, one) => (one.length < best.length ? one : best), faults[0] ?? []);

function ofAny(schemas: readonly Schema[], path: string, check: Check): readonly Cause[] {
  const faults = schemas.map(check);
  if (faults.some(({ length }) => length === 0)) return [];
  return [refused(path, 'must validate at least one schema (anyOf)'), ...nearest(faults)];
}

function ofOne(schemas: readonly Schema[], path: string, check: Check): readonly Cause[] {
  const faults = schemas.map(check);
  const valid = faults.filter(({ length }) => length === 0).length;
  if (valid === 1) return [];
  const how = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
  return [
    refused(path, `must validate one and only one schema (oneOf). ${how}`),
    ...(valid === 0 ? nearest(faults) : []),
  ];
}

function ofAll(schemas: readonly Schema[], path: string, check: Check): readonly Cause[] {
  const faults = schemas.map(check);
  const broken = faults.filter(({ length }) => length > 0);
  if (broken.length === 0) return [];
  const how = broken.length === schemas.length ? '. None validated' : '';
  return [...broken.flat(), refused(path, `must validate all the schemas (allOf)${how}`)];
}
