import type { TestEnvironment } from '../../support/environment.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import {
  configMaps,
  outsideName,
  type GeneratedObject,
  objectName,
  generatedObjects,
  type GeneratedObserved,
} from './kind.ts';
import { changedFields, type Fields, type Play } from './play.ts';

const asText = 'json:';

/** A merge patch treats null as "no such field" at any depth, so a value that contains null is stored as text. */
const holdsNull = (value: unknown): boolean =>
  value === null ||
  (typeof value === 'object' && !Array.isArray(value) && Object.values(value).some((inner) => holdsNull(inner)));

/** A field of a world as stored in a status. */
const encoded = (value: unknown): unknown =>
  value === undefined || value === null ? null : holdsNull(value) ? `${asText}${JSON.stringify(value)}` : value;

const decoded = (value: unknown): unknown =>
  typeof value === 'string' && value.startsWith(asText) ? JSON.parse(value.slice(asText.length)) : value;

/** The world stored in a generated object and the observed one; fields that are not stored have their initial value. */
export function worldOf(
  { model, outside }: Play,
  object: GeneratedObject,
  observed: GeneratedObserved | undefined,
): unknown {
  const first = model.start[0] as Fields;
  const { history: _, ...status } = object.status ?? {};
  const names = [...new Set([...Object.keys(first), ...Object.keys(status), ...Object.keys(observed?.data ?? {})])];
  const isStored = Object.keys(status).length > 0;
  const value = (name: string) => {
    if (!outside.has(name)) return isStored ? (decoded(status[name]) ?? null) : first[name];
    const text = observed?.data?.[name];
    return text === undefined ? first[name] : (JSON.parse(text) as unknown);
  };
  return Object.fromEntries(names.map((name) => [name, value(name)]));
}

/** Fields of a world as the data of the observed object. */
export const dataOf = (world: unknown, names: Iterable<string>): Readonly<Record<string, string>> =>
  Object.fromEntries([...names].map((name) => [name, JSON.stringify((world as Fields)[name] ?? null)]));

/** Fields of a world as a status. */
export const statusOf = (world: unknown, names: Iterable<string>): Fields =>
  Object.fromEntries([...names].map((name) => [name, encoded((world as Fields)[name])]));

/** The generated object in the cluster. */
export const objectIn = ({ cluster }: TestEnvironment): GeneratedObject | undefined => cluster.all(generatedObjects)[0];
const observedIn = ({ cluster }: TestEnvironment) =>
  cluster.all(configMaps).find(({ metadata }) => metadata.name === outsideName.name);

/** The model's world as stored in the cluster; null while there is no object. */
export function worldIn(play: Play, world: TestEnvironment): unknown {
  const object = objectIn(world);
  return object ? worldOf(play, object, observedIn(world)) : null;
}

const withoutNulls = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** Writes a world externally: creates the object or changes the existing one; `anew` keeps nothing of it. */
export function putWorld(play: Play, world: TestEnvironment, next: unknown, anew = false): void {
  const { cluster } = world;
  const before = anew ? null : (worldIn(play, world) as Fields | null);
  const names = Object.keys(next as Fields);
  const inside = names.filter((name) => !play.outside.has(name));
  const changed = before === null ? names : changedFields(before, next);
  const differs = (name: string) => changed.includes(name);
  if (before === null || inside.some(differs)) {
    const stored = objectIn(world);
    const history = anew ? undefined : stored?.status?.['history'];
    cluster.put(generatedObjects, {
      ...(stored ?? {
        apiVersion: 'core.platform/v1alpha1',
        kind: generatedObjects.kind,
        metadata: objectName,
        spec: {},
      }),
      status: { ...withoutNulls(statusOf(next, inside)), ...(history === undefined ? {} : { history }) },
    });
  }
  const outer = names.filter((name) => play.outside.has(name));
  if (outer.length === 0 || (before !== null && !outer.some(differs))) return;
  cluster.put(configMaps, {
    ...(observedIn(world) ?? { metadata: { ...outsideName, ownerReferences: [owner(objectIn(world))] } }),
    data: dataOf(next, outer),
  });
}

function owner(object: KubeObject | undefined) {
  const { name = '', uid = '' } = object?.metadata ?? {};
  return { apiVersion: 'core.platform/v1alpha1', kind: generatedObjects.kind, name, uid };
}
