import { type Json, at, isJson, same } from '../json.ts';
import { goText } from '../kinds/readable.ts';
import type { Schema } from '../schema/schema.ts';
import { StatusError, badRequest } from '../status.ts';

const order = '$setElementOrder/';
const fromSet = '$deleteFromPrimitiveList/';
const directives = ['$patch', '$retainKeys'];

/** The key that items of a list are merged by, as the schema tells it; undefined when the list is replaced whole. */
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
  else if (Array.isArray(value)) merged[field] = mergeList(merged[field], value, schema);
  else if (!isJson(value)) merged[field] = value;
  else if (strategies(schema).includes('replace')) merged[field] = plain(value);
  else
    merged[field] = merged[field] === undefined ? created(value, schema) : strategicMerge(merged[field], value, schema);
}

const created = (value: Json, schema: Schema | null) => strategicMerge({}, value, schema);

function drop(merged: Record<string, unknown>, field: string, values: unknown) {
  const now = merged[field];
  if (Array.isArray(now) && Array.isArray(values))
    merged[field] = now.filter((item) => !values.some((value) => same(item, value)));
}

/** What the client does not keep goes; what it sets, it has to keep. */
function retain(merged: Record<string, unknown>, patch: Json) {
  const keys = patch['$retainKeys'];
  if (!Array.isArray(keys)) return;
  const lost = Object.keys(patch).some(
    (field) => !isDirective(field) && patch[field] !== null && !keys.includes(field),
  );
  if (lost) throw badRequest('The value of retainKeys directive does not match the fields of the patch');
  for (const field of Object.keys(merged)) if (!keys.includes(field)) delete merged[field];
}

function mergeList(target: unknown, patch: readonly unknown[], schema: Schema | null): readonly unknown[] {
  const now: readonly unknown[] = Array.isArray(target) ? target : [];
  if (patch.some((item) => at(item, '$patch') === 'replace'))
    return patch.filter((item) => at(item, '$patch') !== 'replace').map(plainItem);
  if (!isMerged(schema)) return patch.map(plainItem);
  const key = mergeKeyOf(schema);
  if (key === undefined)
    return [...now, ...patch.filter((item, index) => !now.includes(item) && patch.indexOf(item) === index)];
  return mergeByKey({ key, now, items: patch }, schema?.items ?? null);
}

interface KeyedLists {
  readonly key: string;
  readonly now: readonly unknown[];
  readonly items: readonly unknown[];
}

function mergeByKey({ key, now, items }: KeyedLists, schema: Schema | null): readonly unknown[] {
  let merged = [...now];
  for (const item of items) {
    if (!isJson(item) || item[key] === undefined) throw withoutKey(item, key);
    const index = merged.findIndex((one) => same(at(one, key), item[key]));
    if (item['$patch'] === 'delete') merged = merged.filter((one) => !same(at(one, key), item[key]));
    else if (index >= 0) merged[index] = strategicMerge(merged[index], item, schema);
    else merged.push(created(item, schema));
  }
  return merged;
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
  const identity = (item: unknown) => JSON.stringify(key === undefined ? item : at(item, key));
  const wantedAt = positions(wanted, identity);
  const nowAt = positions(Array.isArray(now[field]) ? now[field] : [], identity);
  const named = items
    .filter((item) => wantedAt.has(identity(item)))
    .toSorted((a, b) => (wantedAt.get(identity(a)) ?? 0) - (wantedAt.get(identity(b)) ?? 0));
  const others: unknown[] = items.filter((item) => !wantedAt.has(identity(item)));
  const placed: unknown[] = [];
  for (const item of named) {
    const place = nowAt.get(identity(item)) ?? Infinity;
    while (others.length > 0 && place !== Infinity && (nowAt.get(identity(others[0])) ?? 0) < place)
      placed.push(others.shift());
    placed.push(item);
  }
  merged[field] = [...placed, ...others];
}

const positions = (items: readonly unknown[], identity: (item: unknown) => string) =>
  new Map(items.map((item, index) => [identity(item), index] as const));

const plainItem = (item: unknown): unknown => (isJson(item) ? plain(item) : item);

/** Without the directives, which are never stored. */
function plain(value: Json): Json {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([field, inner]) => !isDirective(field) && inner !== null)
      .map(([field, inner]) => [field, Array.isArray(inner) ? inner.map(plainItem) : plainItem(inner)]),
  );
}
