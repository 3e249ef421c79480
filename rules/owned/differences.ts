import { isSameAmount } from './quantity.ts';
import { isObject } from '../json.ts';

/** A path segment: a field, an item of a list by its key, or an item by its position. */
export type Step = string | number | { readonly key: Readonly<Record<string, unknown>> };
export type Path = readonly Step[];

type Fields = Readonly<Record<string, unknown>>;

/** The values of these fields are quantities, which the API rewrites in its own notation. */
const amounts: readonly string[] = [
  'limits',
  'requests',
  'capacity',
  'hard',
  'default',
  'defaultRequest',
  'min',
  'max',
  'maxLimitRequestRatio',
  'overhead',
];
/** These fields are quantities themselves. */
const amount: readonly string[] = ['sizeLimit', 'divisor', 'averageValue'];

const isAmount = (path: Path): boolean => {
  const [above, last] = path.slice(-2);
  return (typeof above === 'string' && amounts.includes(above)) || (typeof last === 'string' && amount.includes(last));
};

/** The fields that identify the items of a list; the first set that all items have counts. */
const keys: Readonly<Record<string, readonly (readonly string[])[]>> = {
  containers: [['name']],
  initContainers: [['name']],
  volumes: [['name']],
  env: [['name']],
  volumeMounts: [['mountPath']],
  volumeDevices: [['devicePath']],
  imagePullSecrets: [['name']],
  hostAliases: [['ip']],
  ports: [['containerPort', 'protocol']],
  topologySpreadConstraints: [['topologyKey', 'whenUnsatisfiable']],
  ownerReferences: [['uid']],
};
/** The key of a Service's ports; elsewhere a port is not a key. */
const servicePorts = ['port', 'protocol'];
const keyDefaults: Fields = { protocol: 'TCP' };

const keyOf = (item: unknown, fields: readonly string[]): Fields | null => {
  if (!isObject(item)) return null;
  const key: Fields = Object.fromEntries(fields.map((field) => [field, item[field] ?? keyDefaults[field]]));
  return Object.values(key).includes(undefined) ? null : key;
};

function keyFieldsOf(path: Path, items: readonly unknown[]): readonly string[] | null {
  const name = path.at(-1);
  const known = typeof name === 'string' ? (keys[name] ?? []) : [];
  const candidates = path.length === 2 && name === 'ports' ? [servicePorts] : known;
  return candidates.find((fields) => items.every((item) => keyOf(item, fields) !== null)) ?? null;
}

const isSameKey = (one: Fields, other: Fields | null): boolean =>
  other !== null && Object.entries(one).every(([field, value]) => other[field] === value);

/** Whether the API omits the value because it is empty. */
export const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.values(value).every(isNothing));

/**
 * The paths at which the live object differs from the desired one. Undesired fields are ignored; lists are compared by
 * key when their items have one.
 */
export function differences(wanted: unknown, live: unknown, path: Path = []): readonly Path[] {
  if (wanted === live || wanted === undefined || (isNothing(wanted) && isNothing(live))) return [];
  if (Array.isArray(wanted)) return Array.isArray(live) ? ofList(wanted, live, path) : [path];
  if (isObject(wanted)) {
    if (!isObject(live)) return [path];
    const fields: Fields = live;
    return Object.entries(wanted).flatMap(([name, value]) => differences(value, fields[name], [...path, name]));
  }
  return isAmount(path) && isSameAmount(wanted, live) ? [] : [path];
}

function ofList(wanted: readonly unknown[], live: readonly unknown[], path: Path): readonly Path[] {
  const fields = keyFieldsOf(path, wanted);
  if (fields === null) {
    if (wanted.length !== live.length) return [path];
    return wanted.flatMap((item, at) => differences(item, live[at], [...path, at]));
  }
  return wanted.flatMap((item) => {
    const key = keyOf(item, fields) ?? {};
    const standing = live.find((other) => isSameKey(key, keyOf(other, fields)));
    return differences(item, standing, [...path, { key }]);
  });
}

/** The value at a path of fields. */
export const valueAt = (object: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), object);

/** The object with a changed value at a path of fields. */
export function withValue<O>(object: O, [name, ...rest]: readonly string[], value: unknown): O {
  if (name === undefined) return value as O;
  const fields: Fields = isObject(object) ? object : {};
  return { ...fields, [name]: withValue(fields[name], rest, value) } as O;
}
