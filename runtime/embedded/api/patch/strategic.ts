import { type Json, at, isJson, same } from '../json.ts';

/** Lists whose items are merged by a key, by the name of their field. */
const mergeKeys: Readonly<Record<string, readonly string[]>> = {
  containers: ['name'],
  initContainers: ['name'],
  ephemeralContainers: ['name'],
  env: ['name'],
  volumes: ['name'],
  volumeMounts: ['mountPath'],
  volumeDevices: ['devicePath'],
  ports: ['containerPort', 'port'],
  imagePullSecrets: ['name'],
  secrets: ['name'],
  hostAliases: ['ip'],
  podIPs: ['ip'],
  topologySpreadConstraints: ['topologyKey'],
  resourceClaims: ['name'],
  schedulingGates: ['name'],
  conditions: ['type'],
  addresses: ['type'],
  taints: ['key'],
  ownerReferences: ['uid'],
};
/** Lists of plain values that are merged as sets. */
const mergedSets = ['finalizers', 'podCIDRs'];
const order = '$setElementOrder/';
const fromSet = '$deleteFromPrimitiveList/';

/** The key that items of a list are merged by; undefined when the list is replaced whole. */
export const mergeKeyOf = (field: string, items: readonly unknown[]): string | undefined =>
  mergeKeys[field]?.find((key) => items.length > 0 && items.every((item) => at(item, key) !== undefined));

/** A strategic merge patch applied, by the merge keys of the built-in kinds. */
export function strategicMerge(target: unknown, patch: Json): Json {
  const now: Json = isJson(target) ? target : {};
  if (patch['$patch'] === 'replace') return plain(patch);
  if (patch['$patch'] === 'delete') return {};
  const merged: Record<string, unknown> = { ...now };
  for (const [field, value] of Object.entries(patch)) {
    if (field.startsWith(fromSet)) drop(merged, field.slice(fromSet.length), value);
    if (field.startsWith('$')) continue;
    const wantedOrder = patch[order + field];
    if (value === null) delete merged[field];
    else if (Array.isArray(value)) merged[field] = mergeList(field, merged[field], value, wantedOrder);
    else if (isJson(value) && value['$patch'] === 'delete') delete merged[field];
    else merged[field] = isJson(value) ? strategicMerge(merged[field], value) : value;
  }
  for (const field of Object.keys(patch).filter((name) => name.startsWith(order)))
    reorder(merged, field.slice(order.length), patch[field]);
  retain(merged, patch['$retainKeys']);
  return merged;
}

function drop(merged: Record<string, unknown>, field: string, values: unknown) {
  const now = merged[field];
  if (Array.isArray(now) && Array.isArray(values))
    merged[field] = now.filter((item) => !values.some((value) => same(item, value)));
}

function retain(merged: Record<string, unknown>, keys: unknown) {
  if (!Array.isArray(keys)) return;
  for (const field of Object.keys(merged)) if (!keys.includes(field)) delete merged[field];
}

function mergeList(
  field: string,
  target: unknown,
  patch: readonly unknown[],
  wantedOrder: unknown,
): readonly unknown[] {
  const now: readonly unknown[] = Array.isArray(target) ? target : [];
  const items = patch.filter((item) => !isReplace(item));
  if (items.length < patch.length) return items.map(plainItem);
  if (mergedSets.includes(field)) return [...now, ...patch.filter((item) => !now.includes(item))];
  const key = mergeKeyOf(field, [...items, ...(Array.isArray(wantedOrder) ? wantedOrder : [])]);
  return key === undefined ? patch.map(plainItem) : mergeByKey(key, now, items);
}

const isReplace = (item: unknown) => isJson(item) && item['$patch'] === 'replace' && Object.keys(item).length === 1;

function mergeByKey(key: string, now: readonly unknown[], items: readonly unknown[]): readonly unknown[] {
  const merged = [...now];
  for (const item of items) {
    const index = merged.findIndex((one) => same(at(one, key), at(item, key)));
    if (at(item, '$patch') === 'delete') {
      if (index >= 0) merged.splice(index, 1);
    } else if (index >= 0) merged[index] = isJson(item) ? strategicMerge(merged[index], item) : item;
    else merged.push(plainItem(item));
  }
  return merged;
}

/** Brings the items that the client named into its order; those it does not know keep their place behind. */
function reorder(merged: Record<string, unknown>, field: string, wanted: unknown) {
  const now = merged[field];
  if (!Array.isArray(now) || !Array.isArray(wanted)) return;
  const key = mergeKeyOf(field, wanted);
  const rank = (item: unknown) => {
    const index = wanted.findIndex((one) => (key === undefined ? same(one, item) : same(at(one, key), at(item, key))));
    return index < 0 ? wanted.length : index;
  };
  merged[field] = now.toSorted((a, b) => rank(a) - rank(b));
}

const plainItem = (item: unknown): unknown => (isJson(item) ? plain(item) : item);

/** Without the directives, which are never stored. */
function plain(value: Json): Json {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([field, inner]) => !field.startsWith('$') && inner !== null)
      .map(([field, inner]) => [field, Array.isArray(inner) ? inner.map(plainItem) : plainItem(inner)]),
  );
}
