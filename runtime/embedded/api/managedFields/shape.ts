import { isJson } from '../json.ts';
import type { Schema } from '../schema/schema.ts';
import type { ListKind } from './listKind.ts';
import { keyStep, valueStep } from './step.ts';

/** The schema of a value; null where there is no schema and the value decides. */
export interface Typed {
  readonly schema: Schema | null;
}

/** How a value is merged and owned. */
export type Shape =
  | { readonly is: 'scalar' }
  | { readonly is: 'list'; readonly kind: ListKind }
  | { readonly is: 'map'; readonly atomic: boolean };

const scalar: Shape = { is: 'scalar' };
const map: Shape = { is: 'map', atomic: false };
const atomicMap: Shape = { is: 'map', atomic: true };

/** A text, a number or a truth value: whatever its schema, it is a leaf. */
export const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** The shape of a value, by its schema where that allows it, else by itself. */
export function shapeOf(typed: Typed, value: unknown): Shape {
  if (Array.isArray(value)) return { is: 'list', kind: listKind(typed) };
  if (isJson(value)) return mapShape(typed);
  return value === null ? shapeOfNull(typed) : scalar;
}

/** Null is of whatever shape its place has. */
function shapeOfNull(typed: Typed): Shape {
  const type = typed.schema?.type;
  if (type === 'array') return { is: 'list', kind: listKind(typed) };
  if (type === 'object' || type === undefined) return mapShape(typed);
  return scalar;
}

const mapShape = ({ schema }: Typed): Shape => (schema?.['x-kubernetes-map-type'] === 'atomic' ? atomicMap : map);

function listKind({ schema }: Typed): ListKind {
  const type = schema?.['x-kubernetes-list-type'];
  if (type === 'map') return { by: 'keys', keys: schema?.['x-kubernetes-list-map-keys'] ?? [] };
  return { by: type === 'set' ? 'value' : 'nothing' };
}

/** The value below a field of an object. */
export function fieldBelow({ schema }: Typed, field: string): Typed {
  const found = schema?.properties?.[field] ?? schema?.additionalProperties;
  return { schema: typeof found === 'object' ? found : null };
}

export const itemBelow = ({ schema }: Typed): Typed => ({ schema: schema?.items ?? null });

/** Whether the schema names the field, as against a key of a map. */
export const isNamed = ({ schema }: Pick<Typed, 'schema'>, field: string): boolean =>
  schema?.properties?.[field] !== undefined;

/** Whether an object may have the field at all. */
export function allowsField({ schema }: Typed, field: string): boolean {
  if (!schema || isNamed({ schema }, field)) return true;
  const { additionalProperties } = schema;
  if (additionalProperties !== undefined && additionalProperties !== false) return true;
  return schema['x-kubernetes-preserve-unknown-fields'] === true || schema.type !== 'object';
}

/** The step to an item of a list, or why there is none. */
export type ItemStep = { readonly step: string } | { readonly fault: string };

/** Names an item of a list that is merged item by item. */
export function itemStep(list: Typed, kind: ListKind, item: unknown): ItemStep {
  if (kind.by === 'keys') return byKeys(list, kind.keys, item);
  if (isJson(item)) return { fault: "associative list without keys has an element that's a map type" };
  if (Array.isArray(item)) return { fault: 'not supported: associative list with lists as elements' };
  if (item === null) return { fault: "associative list without keys has an element that's an explicit null" };
  return { step: valueStep(item) };
}

function byKeys(list: Typed, names: readonly string[], item: unknown): ItemStep {
  if (item === null) return { fault: 'associative list with keys may not have a null element' };
  if (!isJson(item)) return { fault: 'associative list with keys may not have non-map elements' };
  const keys: Record<string, unknown> = {};
  for (const name of names) {
    const value = item[name] ?? defaultKey(list, name);
    if (value === undefined)
      return {
        fault: `associative list with keys has an element that omits key field ${JSON.stringify(name)} (and doesn't have default value)`,
      };
    keys[name] = value;
  }
  return { step: keyStep(keys) };
}

/** What a key is that an item leaves out. */
const defaultKey = ({ schema }: Typed, name: string): unknown => schema?.items?.properties?.[name]?.default;

/** The items of a list by their steps; those that share one stand together. */
export function itemsByStep(list: Typed, kind: ListKind, value: unknown): ReadonlyMap<string, readonly unknown[]> {
  const items = new Map<string, unknown[]>();
  if (!Array.isArray(value)) return items;
  for (const item of value as readonly unknown[]) {
    const named = itemStep(list, kind, item);
    if ('fault' in named) continue;
    const before = items.get(named.step);
    if (before) before.push(item);
    else items.set(named.step, [item]);
  }
  return items;
}
