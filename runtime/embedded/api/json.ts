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
  for (const field of Object.keys(a)) if (!same(a[field], ownField(b, field))) return false;
  for (const field of Object.keys(b)) if (b[field] !== undefined && !Object.hasOwn(a, field)) return false;
  return true;
}

/** The value of a field; undefined for one that every JavaScript object inherits. */
export const ownField = (value: Json, field: string): unknown =>
  Object.hasOwn(value, field) ? value[field] : undefined;

/**
 * The object with what `change` makes of each field, without those that it makes undefined. Where nothing changes it is
 * the very same object: versions of it then share that part, and are equal without a comparison.
 */
export function mapped(value: Json, change: (inner: unknown, field: string) => unknown): Json {
  const fields = Object.keys(value);
  let made: [string, unknown][] | null = null;
  for (const [index, field] of fields.entries()) {
    const inner = value[field];
    const next = change(inner, field);
    if (next !== inner || next === undefined)
      made ??= fields.slice(0, index).map((earlier) => [earlier, value[earlier]]);
    if (next !== undefined) made?.push([field, next]);
  }
  return made === null ? value : Object.fromEntries(made);
}

/** The list with what `change` makes of each item; the very same list where nothing changes. */
export function mappedItems(
  items: readonly unknown[],
  change: (item: unknown, index: number) => unknown,
): readonly unknown[] {
  const made = items.map(change);
  return made.every((item, index) => item === items[index]) ? items : made;
}

/** Sets a field as JSON means it, also the one that every JavaScript object answers to. */
export function setField(object: Record<string, unknown>, field: string, value: unknown): void {
  if (field !== '__proto__') object[field] = value;
  else Object.defineProperty(object, field, { value, enumerable: true, configurable: true, writable: true });
}

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
