/** A set of paths of fields, kept as a tree: each step is named as `managedFields[].fieldsV1` names it. */
export interface FieldSet {
  /** Whether the path that leads here is itself in the set. */
  readonly member: boolean;
  readonly below: ReadonlyMap<string, FieldSet>;
}

export type Path = readonly string[];

const nowhere: ReadonlyMap<string, FieldSet> = new Map();
export const emptySet: FieldSet = { member: false, below: nowhere };
/** The set of a path that ends here. Most places of a set are one: to have them in common saves their memory. */
export const leafSet: FieldSet = { member: true, below: nowhere };

/** A set of what is below a place, with the path that leads there or without it. */
export const setWith = (member: boolean, below: FieldSet['below']): FieldSet =>
  below.size > 0 ? { member, below } : member ? leafSet : emptySet;

export const setOf = (...paths: readonly Path[]): FieldSet => paths.map(setOfPath).reduce(union, emptySet);

const setOfPath = (path: Path): FieldSet =>
  path.reduceRight((below, step) => setWith(false, new Map([[step, below]])), leafSet);

export const isEmpty = ({ member, below }: FieldSet): boolean => !member && below.size === 0;

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmpty(b)) return a;
  if (isEmpty(a)) return b;
  const below = new Map(a.below);
  for (const [step, inner] of b.below) below.set(step, union(a.below.get(step) ?? emptySet, inner));
  return setWith(a.member || b.member, below);
}

/** Whether the sets have a path in common. */
export function meets(a: FieldSet, b: FieldSet): boolean {
  if (a.member && b.member) return true;
  for (const [step, inner] of b.below) {
    const own = a.below.get(step);
    if (own && meets(own, inner)) return true;
  }
  return false;
}

/** Whether every path of the second set is in the first. */
export function covers(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  if (b.member && !a.member) return false;
  for (const [step, inner] of b.below) if (!covers(a.below.get(step) ?? emptySet, inner)) return false;
  return true;
}

/** The paths of one set that are not in the other. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmpty(b)) return a;
  if (a === b) return emptySet;
  const below = kept(a, (step, inner) => difference(inner, b.below.get(step) ?? emptySet));
  return changedTo(a, a.member && !b.member, below);
}

/** The paths of one set that are neither in the other nor below one of its paths. */
export function outside(a: FieldSet, b: FieldSet): FieldSet {
  if (b.member) return emptySet;
  if (isEmpty(b)) return a;
  const below = kept(a, (step, inner) => outside(inner, b.below.get(step) ?? emptySet));
  return changedTo(a, a.member, below);
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  const below = kept(a, (step, inner) => {
    const other = b.below.get(step);
    return other ? intersection(inner, other) : emptySet;
  });
  return changedTo(a, a.member && b.member, below);
}

const changedTo = (set: FieldSet, member: boolean, below: FieldSet['below']): FieldSet =>
  member === set.member && below === set.below ? set : setWith(member, below);

/** What is left below a set once each part was changed; the very same where nothing was. */
function kept(set: FieldSet, change: (step: string, inner: FieldSet) => FieldSet): ReadonlyMap<string, FieldSet> {
  const below = new Map<string, FieldSet>();
  let isChanged = false;
  for (const [step, inner] of set.below) {
    const next = change(step, inner);
    if (next !== inner) isChanged = true;
    if (!isEmpty(next)) below.set(step, next);
  }
  return isChanged ? below : set.below;
}

/** How many paths a set has. */
export function sizeOf({ member, below }: FieldSet): number {
  let size = member ? 1 : 0;
  for (const inner of below.values()) size += inner === leafSet ? 1 : sizeOf(inner);
  return size;
}

/** Whether two sets have the same paths. */
export const sameSet = (a: FieldSet, b: FieldSet): boolean =>
  a === b ||
  (a.member === b.member &&
    a.below.size === b.below.size &&
    [...a.below].every(([step, inner]) => {
      const other = b.below.get(step);
      return other !== undefined && sameSet(inner, other);
    }));
