import type { KubeObject } from '../../../crds/kind.ts';
import { keyOf } from '../../support/memoryCluster.ts';
import type { TestEnvironment } from '../../support/environment.ts';

/** Everything that exists, by place: two runs of a path must agree on it. */
export type Snapshot = Readonly<Record<string, string>>;

const background: readonly string[] = ['Event', 'Lease', 'Namespace'];
const isoTime = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const digest = /sha256:[0-9a-f]{64}/g;

const uid = /\buid-\d+\b/g;

/** Times, uids and digests differ between runs and are not compared; neither is the number of writes. */
const plain = (text: string): string =>
  text.replaceAll(uid, '(uid)').replaceAll(isoTime, '(time)').replaceAll(digest, '(digest)');

/** `lastAt` of a cause tells when its words changed, which depends on the way here. */
const unsaid = new Set(['resourceVersion', 'managedFields', 'history', 'uid', 'lastAt']);

function fields(value: unknown, at: string, found: Record<string, string>): void {
  if (typeof value !== 'object' || value === null) {
    found[at] = plain(JSON.stringify(value) ?? 'nothing');
    return;
  }
  const entries = Object.entries(value);
  if (entries.length === 0) found[at] = '{}';
  for (const [name, inner] of entries) if (!unsaid.has(name)) fields(inner, `${at}.${plain(name)}`, found);
}

/** The spec of a record of what runs is written as often as a pass sees something else run. */
function withoutWrites(object: KubeObject): KubeObject {
  if (object.kind !== 'CoreDeployment') return object;
  const { generation: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** The content of the cluster and of the object store, without what may differ between two runs. */
export function snapshotOf({ cluster, bucket }: TestEnvironment): Snapshot {
  const objects: readonly KubeObject[] = cluster.everything().filter(({ kind = '' }) => !background.includes(kind));
  const found: Record<string, string> = {};
  const names = new Map<string, number>();
  for (const object of objects) names.set(keyOf(object), (names.get(keyOf(object)) ?? 0) + 1);
  /** Objects of several namespaces may share a name. */
  const placeOf = (object: KubeObject) => {
    const key = keyOf(object);
    return (names.get(key) ?? 0) > 1 ? `${key} in ${object.metadata.namespace ?? ''}` : key;
  };
  for (const object of objects) fields(withoutWrites(object), plain(placeOf(object)), found);
  for (const [key, stored] of bucket) fields(stored, `stored ${plain(key)}`, found);
  return found;
}

/** The object of a place: `CoreBuild shop-build-1`. */
const ownerOf = (place: string) => place.slice(0, place.indexOf('.', place.indexOf(' ')));

/**
 * The differences of two snapshots, one line each: the actual and the expected value, or an object that only one has.
 */
export function differences(found: Snapshot, wanted: Snapshot): readonly string[] {
  const owners = (snapshot: Snapshot) => new Set(Object.keys(snapshot).map(ownerOf));
  const [there, meant] = [owners(found), owners(wanted)];
  const without = (ones: ReadonlySet<string>, others: ReadonlySet<string>) =>
    [...ones].filter((one) => !others.has(one));
  const places = [...new Set([...Object.keys(wanted), ...Object.keys(found)])].toSorted();
  return [
    ...without(meant, there).map((owner) => `${owner} is missing`),
    ...without(there, meant).map((owner) => `${owner} is one too many`),
    ...places
      .filter((place) => there.has(ownerOf(place)) && meant.has(ownerOf(place)) && found[place] !== wanted[place])
      .map((place) => `${place}: ${found[place] ?? 'absent'}, undisturbed ${wanted[place] ?? 'absent'}`),
  ];
}
