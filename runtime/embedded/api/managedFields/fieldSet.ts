/** A set of paths of fields, kept as a tree: each step is named as `managedFields[].fieldsV1` names it. */
export interface FieldSet {
  /** Whether the path that leads here is itself in the set. */
  readonly member: boolean;
  readonly below: ReadonlyMap<string, FieldSet>;
}

export type Path = readonly string[];

interface Draft {
  member: boolean;
  readonly below: Map<string, Draft>;
}

const nowhere: ReadonlyMap<string, FieldSet> = new Map();
export const emptySet: FieldSet = { member: false, below: nowhere };

/** A set that is still being written down. */
export interface SetDraft {
  readonly add: (path: Path) => void;
  readonly done: () => FieldSet;
}

/** Begins a set that paths are added to one by one. */
export function draftSet(): SetDraft {
  const root: Draft = { member: false, below: new Map() };
  return {
    add(path) {
      let here = root;
      for (const step of path) {
        const next = here.below.get(step) ?? { member: false, below: new Map() };
        here.below.set(step, next);
        here = next;
      }
      here.member = true;
    },
    done: () => root,
  };
}

export function setOf(...paths: readonly Path[]): FieldSet {
  const draft = draftSet();
  paths.forEach(draft.add);
  return draft.done();
}

export const isEmpty = ({ member, below }: FieldSet): boolean => !member && below.size === 0;

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmpty(b)) return a;
  if (isEmpty(a)) return b;
  const below = new Map(a.below);
  for (const [step, inner] of b.below) below.set(step, union(a.below.get(step) ?? emptySet, inner));
  return { member: a.member || b.member, below };
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
  if (b.member && !a.member) return false;
  for (const [step, inner] of b.below) if (!covers(a.below.get(step) ?? emptySet, inner)) return false;
  return true;
}

/** The paths of one set that are not in the other. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmpty(b)) return a;
  const below = kept(a, (step, inner) => difference(inner, b.below.get(step) ?? emptySet));
  return { member: a.member && !b.member, below };
}

/** The paths of one set that are neither in the other nor below one of its paths. */
export function outside(a: FieldSet, b: FieldSet): FieldSet {
  if (b.member) return emptySet;
  if (isEmpty(b)) return a;
  return { member: a.member, below: kept(a, (step, inner) => outside(inner, b.below.get(step) ?? emptySet)) };
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const below = kept(a, (step, inner) => {
    const other = b.below.get(step);
    return other ? intersection(inner, other) : emptySet;
  });
  return { member: a.member && b.member, below };
}

function kept(set: FieldSet, change: (step: string, inner: FieldSet) => FieldSet): ReadonlyMap<string, FieldSet> {
  const below = new Map<string, FieldSet>();
  for (const [step, inner] of set.below) {
    const next = change(step, inner);
    if (!isEmpty(next)) below.set(step, next);
  }
  return below;
}

/** What stands at a path of a set. */
export const setAt = (set: FieldSet, path: Path): FieldSet =>
  path.reduce<FieldSet>((here, step) => here.below.get(step) ?? emptySet, set);

export const hasPath = (set: FieldSet, path: Path): boolean => setAt(set, path).member;

/** Whether two sets have the same paths. */
export const sameSet = (a: FieldSet, b: FieldSet): boolean =>
  a.member === b.member &&
  a.below.size === b.below.size &&
  [...a.below].every(([step, inner]) => {
    const other = b.below.get(step);
    return other !== undefined && sameSet(inner, other);
  });
