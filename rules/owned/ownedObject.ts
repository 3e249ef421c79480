import type { KubeObject } from '../../crds/kind.ts';
import { annotation, label, managedBy } from '../../crds/names.ts';
import { hashOf } from '../canonical.ts';
import { differences, isNothing, valueAt, withValue } from './differences.ts';
import { quantityOf } from './quantity.ts';
import { isObject } from '../json.ts';

/**
 * An immutable field of the API: its stored value is kept, or the object is recreated. The size of a claim may only
 * grow, and only once the claim is bound; until then, and when less is desired, the stored size is kept, too. A stored
 * value is also applied when none is desired, because an apply that leaves a field out removes it.
 */
export interface Fixed {
  readonly path: readonly string[];
  readonly then: 'keep' | 'replace' | 'grow';
}

/** The owner of an object: the labels that select it, and the uid of the owner's current incarnation. */
export interface Owner {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  /** Whether it adopts the objects of an earlier owner with the same name. */
  readonly adopts: boolean;
}

export const ownerOf = (kind: string, { metadata }: KubeObject): Owner => ({
  kind,
  name: metadata.name,
  uid: metadata.uid ?? '',
  adopts: metadata.annotations?.[annotation.adopt] === 'true',
});

/** The labels that select everything an object owns. */
export const ownLabels = ({ kind, name }: Pick<Owner, 'kind' | 'name'>) => ({
  [label.managedBy]: managedBy,
  [label.kind]: kind,
  [label.name]: name,
});

/** Whether an object carries the labels of an owner. */
export const isOf = ({ metadata: { labels = {} } }: KubeObject, owner: Pick<Owner, 'kind' | 'name'>): boolean =>
  Object.entries(ownLabels(owner)).every(([name, value]) => labels[name] === value);

/** Whether another controller than its owner created it: some copy the labels of their owner. */
export const isControlled = ({ metadata }: KubeObject, owner: string): boolean =>
  metadata.ownerReferences?.some(({ controller, uid }) => controller === true && uid !== owner) === true;

/** Whether it was created for an earlier object of this name, so that the current owner may not adopt it. */
export const isOfEarlierOwner = ({ metadata }: KubeObject, { uid, adopts }: Owner): boolean =>
  !adopts && (metadata.annotations?.[annotation.ownerUid] ?? uid) !== uid;

const isSecret = ({ kind }: KubeObject) => kind === 'Secret';

/** Caches the applied form of a wanted object, because it is requested many times in a pass. */
const applied = new WeakMap<KubeObject, { readonly owner: Owner; readonly object: KubeObject }>();

const isSameOwner = (one: Owner, { kind, name, uid }: Owner): boolean =>
  one.uid === uid && one.name === name && one.kind === kind;

/** The wanted object as applied: with the labels and the uid of its owner, and a hash of everything but Secret data. */
export function appliedObject<O extends KubeObject>(wanted: O, owner: Owner): O {
  const before = applied.get(wanted);
  if (before && isSameOwner(before.owner, owner)) return before.object as O;
  const object = withOwner(wanted, owner);
  applied.set(wanted, { owner, object });
  return object;
}

function withOwner<O extends KubeObject>(wanted: O, owner: Owner): O {
  const { labels, annotations } = wanted.metadata;
  const metadata = {
    ...wanted.metadata,
    labels: { ...labels, ...ownLabels(owner) },
    annotations: { ...annotations, [annotation.ownerUid]: owner.uid },
  };
  const whole: O = { ...wanted, metadata };
  const hash = hashOf(isSecret(wanted) ? { ...whole, data: undefined } : whole).slice(0, 16);
  return { ...whole, metadata: { ...metadata, annotations: { ...metadata.annotations, [annotation.applied]: hash } } };
}

export const appliedHash = ({ metadata }: KubeObject): string => metadata.annotations?.[annotation.applied] ?? '';

const isChanged = (path: readonly string[], wanted: KubeObject, live: KubeObject) =>
  differences(valueAt(wanted, path), valueAt(live, path), path).length > 0;

const grows = (path: readonly string[], wanted: KubeObject, live: KubeObject) =>
  valueAt(live, ['status', 'phase']) === 'Bound' &&
  (quantityOf(valueAt(wanted, path)) ?? 0n) > (quantityOf(valueAt(live, path)) ?? 0n);

/** The reachable form of a wanted object, given the stored one; `replace` when only a new object can match. */
export function reachable<O extends KubeObject>(wanted: O, live: KubeObject, fixed: readonly Fixed[]): O | 'replace' {
  let within = wanted;
  for (const { path, then } of fixed) {
    const stored = valueAt(live, path);
    if (stored === undefined || isNothing(valueAt(wanted, path)) || !isChanged(path, wanted, live)) continue;
    if (then === 'replace') return 'replace';
    if (then === 'keep' || !grows(path, wanted, live)) within = withValue(within, path, stored);
  }
  return within;
}

/**
 * What an apply sends over the stored object: with the stored values of fixed fields that are not wanted. Whether an
 * apply is due is decided without them, because the API fills some in by itself.
 */
export const withStored = <O extends KubeObject>(applied: O, live: KubeObject, fixed: readonly Fixed[]): O =>
  fixed.reduce((sent, { path }) => {
    const stored = valueAt(live, path);
    return stored === undefined || !isNothing(valueAt(applied, path)) ? sent : withValue(sent, path, stored);
  }, applied);

/** A merge patch that removes unwanted keys from maps; null when there are none. */
export function removalPatch(
  wanted: KubeObject,
  live: KubeObject,
  whole: readonly (readonly string[])[],
): object | null {
  let patch: object | null = null;
  for (const path of whole) {
    const [mine, theirs] = [valueAt(wanted, path), valueAt(live, path)];
    for (const name of isObject(theirs) ? Object.keys(theirs) : [])
      if (!isObject(mine) || !Object.hasOwn(mine, name)) patch = withValue(patch ?? {}, [...path, name], null);
  }
  return patch;
}
