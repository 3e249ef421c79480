import { type Json, at, isJson, ownField, setField } from '../json.ts';
import { goText } from '../kinds/readable.ts';
import type { Schema } from '../schema/schema.ts';
import { StatusError, badRequest } from '../status.ts';

const order = '$setElementOrder/';
const fromSet = '$deleteFromPrimitiveList/';
const directives = ['$patch', '$retainKeys'];

/** The key that items of a list are merged by, according to the schema; undefined when the list is replaced whole. */
export const mergeKeyOf = (schema: Schema | null): string | undefined =>
  isMerged(schema) ? schema?.['x-kubernetes-patch-merge-key'] : undefined;

const strategies = (schema: Schema | null) => schema?.['x-kubernetes-patch-strategy']?.split(',') ?? [];
const isMerged = (schema: Schema | null) => strategies(schema).includes('merge');

const below = (schema: Schema | null, field: string): Schema | null => {
  const found = schema?.properties?.[field] ?? schema?.additionalProperties;
  return typeof found === 'object' ? found : null;
};

/** A strategic merge patch applied, by the merge keys of the schema. */
export function strategicMerge(target: unknown, patch: Json, schema: Schema | null): Json {
  const now: Json = isJson(target) ? target : {};
  const directive = patch['$patch'];
  if (directive === 'replace') return plain(patch);
  if (directive === 'delete') return {};
  if (directive !== undefined && directive !== 'merge') throw unknownDirective(directive, patch);
  const merged: Record<string, unknown> = { ...now };
  retain(merged, patch);
  for (const [field, value] of Object.entries(patch)) {
    if (field.startsWith(fromSet)) drop(merged, field.slice(fromSet.length), value);
    if (isDirective(field)) continue;
    mergeField(merged, field, value, below(schema, field));
  }
  for (const field of Object.keys(patch).filter((name) => name.startsWith(order)))
    reorder(merged, field.slice(order.length), { wanted: patch[field], now }, below(schema, field.slice(order.length)));
  return merged;
}

const isDirective = (field: string) =>
  directives.includes(field) || field.startsWith(order) || field.startsWith(fromSet);
const unknownDirective = (directive: unknown, patch: Json) =>
  new StatusError(500, '', `unknown patch type: ${String(directive)} in map: ${goText(patch)}`);

function mergeField(merged: Record<string, unknown>, field: string, value: unknown, schema: Schema | null): void {
  if (value === null) delete merged[field];
  else setField(merged, field, mergedValue(ownField(merged, field), value, schema));
}

function mergedValue(now: unknown, value: unknown, schema: Schema | null): unknown {
  if (Array.isArray(value)) return mergeList(now, value, schema);
  if (!isJson(value)) return value;
  if (strategies(schema).includes('replace')) return plain(value);
  return now === undefined ? created(value, schema) : strategicMerge(now, value, schema);
}

const created = (value: Json, schema: Schema | null) => strategicMerge({}, value, schema);

function drop(merged: Record<string, unknown>, field: string, values: unknown) {
  const now = merged[field];
  if (!Array.isArray(now) || !Array.isArray(values)) return;
  const dropped = new Set(values.map(identity));
  merged[field] = now.filter((item) => !dropped.has(identity(item)));
}

/** What the client does not keep goes; what it sets, it has to keep. */
function retain(merged: Record<string, unknown>, patch: Json) {
  const keys = patch['$retainKeys'];
  if (!Array.isArray(keys)) return;
  const kept = new Set<unknown>(keys);
  const lost = Object.keys(patch).some((field) => !isDirective(field) && patch[field] !== null && !kept.has(field));
  if (lost) throw badRequest('The value of retainKeys directive does not match the fields of the patch');
  for (const field of Object.keys(merged)) if (!kept.has(field)) delete merged[field];
}

function mergeList(target: unknown, patch: readonly unknown[], schema: Schema | null): readonly unknown[] {
  const now: readonly unknown[] = Array.isArray(target) ? target : [];
  if (patch.some((item) => at(item, '$patch') === 'replace'))
    return patch.filter((item) => at(item, '$patch') !== 'replace').map(plainItem);
  if (!isMerged(schema)) return patch.map(plainItem);
  const key = mergeKeyOf(schema);
  if (key === undefined) return union(now, patch);
  return mergeByKey({ key, now, items: patch }, schema?.items ?? null);
}

interface KeyedLists {
  readonly key: string;
  readonly now: readonly unknown[];
  readonly items: readonly unknown[];
}

function mergeByKey({ key, now, items }: KeyedLists, schema: Schema | null): readonly unknown[] {
  const merged = [...now];
  const gone = new Set<number>();
  const places = new Map<string, number[]>();
  const keep = (id: string, place: number) => {
    const found = places.get(id);
    if (found) found.push(place);
    else places.set(id, [place]);
  };
  now.forEach((one, place) => keep(identity(at(one, key)), place));
  for (const item of items) {
    if (!isJson(item) || item[key] === undefined) throw withoutKey(item, key);
    const id = identity(item[key]);
    const [first] = places.get(id) ?? [];
    if (item['$patch'] === 'delete') {
      for (const place of places.get(id) ?? []) gone.add(place);
      places.delete(id);
    } else if (first === undefined) {
      keep(id, merged.length);
      merged.push(created(item, schema));
    } else merged[first] = strategicMerge(merged[first], item, schema);
  }
  return merged.filter((_, place) => !gone.has(place));
}

/** Equal for values that are the same but for the order of their fields, which keys do not have. */
const identity = (value: unknown): string => JSON.stringify(value) ?? '';

function union(now: readonly unknown[], added: readonly unknown[]): readonly unknown[] {
  const known = new Set(now);
  return [...now, ...[...new Set(added)].filter((item) => !known.has(item))];
}

const withoutKey = (item: unknown, key: string) =>
  new StatusError(500, 'InternalError', `map: ${JSON.stringify(item)} does not contain declared merge key: ${key}`);

interface Order {
  readonly wanted: unknown;
  readonly now: Json;
}

/** Brings the items into the order of the client; those it does not name keep their place behind the one before them. */
function reorder(merged: Record<string, unknown>, field: string, { wanted, now }: Order, schema: Schema | null): void {
  const items = merged[field];
  if (!Array.isArray(items) || !Array.isArray(wanted)) return;
  const key = mergeKeyOf(schema);
  const idOf = (item: unknown) => identity(key === undefined ? item : at(item, key));
  const wantedAt = positions(wanted, idOf);
  const nowAt = positions(Array.isArray(now[field]) ? now[field] : [], idOf);
  const named = items
    .filter((item) => wantedAt.has(idOf(item)))
    .toSorted((a, b) => (wantedAt.get(idOf(a)) ?? 0) - (wantedAt.get(idOf(b)) ?? 0));
  const others: unknown[] = items.filter((item) => !wantedAt.has(idOf(item)));
  const placed: unknown[] = [];
  for (const item of named) {
    const place = nowAt.get(idOf(item)) ?? Infinity;
    while (others.length > 0 && place !== Infinity && (nowAt.get(idOf(others[0])) ?? 0) < place)
      placed.push(others.shift());
    placed.push(item);
  }
  merged[field] = [...placed, ...others];
}

const positions = (items: readonly unknown[], idOf: (item: unknown) => string) =>
  new Map(items.map((item, index) => [idOf(item), index] as const));

const plainItem = (item: unknown): unknown => (isJson(item) ? plain(item) : item);

/** Without the directives, which are never stored. */
function plain(value: Json): Json {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([field, inner]) => !isDirective(field) && inner !== null)
      .map(([field, inner]) => [field, Array.isArray(inner) ? inner.map(plainItem) : plainItem(inner)]),
  );
}
