import { isJson } from '../json.ts';

/** A JSON value as CEL sees it where no schema tells its type: whole numbers are integers. */
export function celValueOf(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(celValueOf);
  if (!isJson(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, celValueOf(inner)]));
}
