import { type Comparison, compare } from './compare.ts';
import type { FieldConflict } from './conflict.ts';
import { type Entry, type Manager, isSameManager, withEntry } from './entries.ts';
import {
  type FieldSet,
  covers,
  difference,
  emptySet,
  intersection,
  isEmpty,
  meets,
  outside,
  setOf,
  union,
} from './fieldSet.ts';
import { fieldsOf } from './fieldsOf.ts';
import { merge } from './merge.ts';
import { removeFields, withNamedFields } from './remove.ts';
import type { Typed } from './shape.ts';
import { fieldStep } from './step.ts';
import { type Steps, finish } from '../steps.ts';

/** One write as the owners of fields see it. */
export interface Write {
  readonly typed: Typed;
  readonly manager: Manager;
  readonly now: string;
  /** Fields that this write cannot change, with all below them. */
  readonly ignored: FieldSet;
}

const path = (...names: readonly string[]) => names.map(fieldStep);
/** What names an object or is kept by the server belongs to nobody. */
const nobodys = setOf(
  path('apiVersion'),
  path('kind'),
  path('metadata'),
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => path('metadata', name)),
);

/** The owners after an update: who changes a field has it, and what is gone is nobody's. */
export function afterUpdate(write: Write, owners: readonly Entry[], before: unknown, after: unknown): readonly Entry[] {
  const changes = seen(write, before, after);
  const taken = union(changes.modified, changes.added);
  const own = difference(taken, nobodys);
  const lost = union(taken, changes.removed);
  const last = owners.find((entry) => isSameManager(entry, write.manager));
  const left = owners.flatMap((entry) => without(entry, lost));
  if (isEmpty(own)) return left;
  // Who changes only what it has already has the very set that it had.
  if (last && covers(last.fields, own) && !meets(last.fields, changes.removed) && !meets(last.fields, nobodys))
    return withEntry(left, entryOf(write, last.fields));
  const known = left.find((entry) => isSameManager(entry, write.manager));
  return withEntry(left, entryOf(write, known ? union(known.fields, own) : own));
}

function entryOf({ manager: { name, operation, apiVersion, subresource }, now }: Write, fields: FieldSet): Entry {
  return { name, operation, apiVersion, subresource, time: now, fields };
}

function seen({ typed, ignored }: Write, before: unknown, after: unknown): Comparison {
  const { added, modified, removed } = compare(typed, before, after);
  return {
    added: outside(added, ignored),
    modified: outside(modified, ignored),
    removed: outside(removed, ignored),
  };
}

function without(entry: Entry, fields: FieldSet): readonly Entry[] {
  if (!meets(entry.fields, fields)) return [entry];
  const left = difference(entry.fields, fields);
  return isEmpty(left) ? [] : [{ ...entry, fields: left }];
}

/** An apply worked out: the merged object and its owners, or with whom it is in conflict. */
export interface Applied {
  readonly object: unknown;
  readonly owners: readonly Entry[];
  readonly conflicts: readonly FieldConflict[];
}

/** The object and its owners after an apply; its conflicts are returned, and taken over all the same. */
export const afterApply = (...apply: Parameters<typeof applySteps>): Applied => finish(applySteps(...apply));

/** The same in steps: on a large object each of them takes long. */
export function* applySteps(write: Write, owners: readonly Entry[], live: unknown, given: unknown): Steps<Applied> {
  const { typed, manager, ignored } = write;
  const last = owners.find((entry) => isSameManager(entry, manager));
  const fields = outside(fieldsOf(typed, given), ignored);
  const claimed = owners.filter((entry) => entry !== last).map((entry) => entry.fields);
  const claims = { last: last?.fields ?? emptySet, owned: [fields, ...claimed].reduce(union, emptySet) };
  yield;
  const merged = merge(typed, live, given);
  yield;
  const object = yield* pruned(typed, merged, claims);
  yield;
  const changes = seen(write, live, object);
  yield;
  const taken = union(changes.modified, changes.added);
  const others = owners.filter((entry) => entry !== last);
  const conflicts = others
    .map((manager) => ({ manager, fields: intersection(manager.fields, taken) }))
    .filter(({ fields: theirs }) => !isEmpty(theirs));
  const left = others.flatMap((entry) => without(entry, union(taken, changes.removed)));
  const own = entryOf(write, difference(fields, nobodys));
  return { object, owners: withEntry(left, own), conflicts };
}

interface Claims {
  /** What the manager applied before. */
  readonly last: FieldSet;
  /** What anybody has now. */
  readonly owned: FieldSet;
}

/** Takes out what the manager gave before, does not give now, and nobody else has. */
function* pruned(typed: Typed, merged: unknown, { last, owned }: Claims): Steps<unknown> {
  if (covers(owned, last)) return merged;
  const gone = withNamedFields(typed, last);
  const all = withNamedFields(typed, fieldsOf(typed, merged));
  yield;
  const without = removeFields(typed, merged, gone);
  const kept = union(namedFieldsOf(typed, without), withNamedFields(typed, owned));
  yield;
  const restored = namedFieldsOf(typed, removeFields(typed, merged, difference(all, kept)));
  yield;
  return removeFields(typed, merged, intersection(difference(all, restored), gone));
}

const namedFieldsOf = (typed: Typed, value: unknown): FieldSet =>
  value === undefined ? emptySet : withNamedFields(typed, fieldsOf(typed, value));
