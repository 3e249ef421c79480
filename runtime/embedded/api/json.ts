/** A JSON object whose fields are not known beforehand. */
export interface Json {
  readonly [field: string]: unknown;
}

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path, or undefined where the path ends early. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = (here as Json)[step];
  }
  return here;
}

export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
}

export function numberAt(value: unknown, ...path: readonly (string | number)[]): number {
  const found = at(value, ...path);
  return typeof found === 'number' ? found : 0;
}

export function jsonAt(value: unknown, ...path: readonly (string | number)[]): Json {
  const found = at(value, ...path);
  return isJson(found) ? found : {};
}

export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Equality of JSON values; the order of fields does not matter, a field that is undefined is absent. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => same(item, b[index]));
  if (!isJson(a) || !isJson(b)) return false;
  const fields = definedFields(a);
  return fields.length === definedFields(b).length && fields.every((field) => same(a[field], b[field]));
}

const definedFields = (value: Json) => Object.keys(value).filter((field) => value[field] !== undefined);

/** A copy without some fields. */
export function without(value: Json, ...fields: readonly string[]): Json {
  const left: Record<string, unknown> = {};
  // No field of any kind is called `__proto__`, and to set it would be something else.
  for (const field of Object.keys(value))
    if (!fields.includes(field) && field !== '__proto__') left[field] = value[field];
  return left;
}

/** Any value in words: plain values as they are, anything else as JSON. */
export function wordOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : (JSON.stringify(value) ?? '');
}
