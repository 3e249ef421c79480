import { isSameAmount } from './quantity.ts';

/** A step into an object: a field, an item of a list by its key, or one by its position. */
export type Step = string | number | { readonly key: Readonly<Record<string, unknown>> };
export type Path = readonly Step[];

type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The values of these fields are quantities, which the API writes in its own way. */
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
/** And these are quantities themselves. */
const amount: readonly string[] = ['sizeLimit', 'divisor', 'averageValue'];

const isAmount = (path: Path): boolean => {
  const [above, last] = path.slice(-2);
  return (typeof above === 'string' && amounts.includes(above)) || (typeof last === 'string' && amount.includes(last));
};

/** By which fields the items of a list are told apart; the first that all of them have. */
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
/** Those of a Service: elsewhere a port is no key. */
const servicePorts = ['port', 'protocol'];
const keyDefaults: Fields = { protocol: 'TCP' };

const keyOf = (item: unknown, fields: readonly string[]): Fields | null => {
  if (!isFields(item)) return null;
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

/** What the API leaves out where nothing is in it. */
const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isFields(value) && Object.values(value).every(isNothing));

/**
 * Where what stands is not what is wanted. Fields that are not wanted may stand beside it; lists are compared by key
 * where their items have one.
 */
export function differences(wanted: unknown, stands: unknown, path: Path = []): readonly Path[] {
  if (wanted === stands || wanted === undefined || (isNothing(wanted) && isNothing(stands))) return [];
  if (Array.isArray(wanted)) return Array.isArray(stands) ? ofList(wanted, stands, path) : [path];
  if (isFields(wanted)) {
    if (!isFields(stands)) return [path];
    const fields: Fields = stands;
    return Object.entries(wanted).flatMap(([name, value]) => differences(value, fields[name], [...path, name]));
  }
  return isAmount(path) && isSameAmount(wanted, stands) ? [] : [path];
}

function ofList(wanted: readonly unknown[], stands: readonly unknown[], path: Path): readonly Path[] {
  const fields = keyFieldsOf(path, wanted);
  if (fields === null) {
    if (wanted.length !== stands.length) return [path];
    return wanted.flatMap((item, at) => differences(item, stands[at], [...path, at]));
  }
  return wanted.flatMap((item) => {
    const key = keyOf(item, fields) ?? {};
    const standing = stands.find((other) => isSameKey(key, keyOf(other, fields)));
    return differences(item, standing, [...path, { key }]);
  });
}

/** The value at a path of fields. */
export const valueAt = (object: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isFields(value) ? value[name] : undefined), object);

/** The object with another value at a path of fields. */
export function withValue<O>(object: O, [name, ...rest]: readonly string[], value: unknown): O {
  if (name === undefined) return value as O;
  const fields: Fields = isFields(object) ? object : {};
  return { ...fields, [name]: withValue(fields[name], rest, value) } as O;
}
