import { type Json, isJson, same } from '../json.ts';
import { type FieldSet, type Path, type SetDraft, draftSet } from './fieldSet.ts';
import type { ListKind } from './listKind.ts';
import { type Shape, type Typed, fieldBelow, itemBelow, itemsByStep, shapeOf } from './shape.ts';
import { fieldStep } from './step.ts';

/** What became of the fields of a value. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

type Drafts = { readonly [part in keyof Comparison]: SetDraft };

interface Pair {
  readonly before: unknown;
  readonly after: unknown;
  readonly typed: Typed;
  readonly path: Path;
}

/** Compares two versions of a value, field by field. */
export function compare(root: Typed, before: unknown, after: unknown): Comparison {
  const drafts: Drafts = { added: draftSet(), modified: draftSet(), removed: draftSet() };
  visit({ before, after, typed: root, path: [] }, drafts);
  return { added: drafts.added.done(), modified: drafts.modified.done(), removed: drafts.removed.done() };
}

function visit(pair: Pair, drafts: Drafts): void {
  const { before, after, typed, path } = pair;
  if (before === after) return;
  const isLeaf = shapes(typed, before, after).reduce((found, shape) => visitAs(shape, pair, drafts) || found, false);
  if (isLeaf) return;
  if (before === undefined) drafts.added.add(path);
  else if (after === undefined) drafts.removed.add(path);
}

/** Both shapes where the value became another one. */
function shapes(typed: Typed, before: unknown, after: unknown): readonly Shape[] {
  if (after === undefined) return [shapeOf(typed, before)];
  const next = shapeOf(typed, after);
  if (before === undefined) return [next];
  const previous = shapeOf(typed, before);
  return previous.is === next.is ? [next] : [previous, next];
}

/** Whether the value counts as one leaf. */
function visitAs(shape: Shape, pair: Pair, drafts: Drafts): boolean {
  const { before, after } = pair;
  if (isWhole(shape) || (isBare(before) && isBare(after))) {
    leaf(pair, drafts);
    return true;
  }
  if (shape.is === 'list') visitItems(shape.kind, pair, drafts);
  else visitFields(pair, drafts);
  return false;
}

const isWhole = (shape: Shape) =>
  shape.is === 'scalar' || (shape.is === 'list' ? shape.kind.by === 'nothing' : shape.atomic);

/** Nothing, or nothing inside: then it counts whether it is there. */
const isBare = (value: unknown) =>
  value === undefined ||
  value === null ||
  (Array.isArray(value) ? value.length === 0 : isJson(value) && Object.keys(value).length === 0);

function leaf({ before, after, path }: Pair, { added, modified, removed }: Drafts): void {
  if (before === undefined) added.add(path);
  else if (after === undefined) removed.add(path);
  else if (!same(before, after)) modified.add(path);
}

function visitFields({ before, after, typed, path }: Pair, drafts: Drafts): void {
  const old: Json = isJson(before) ? before : {};
  const next: Json = isJson(after) ? after : {};
  for (const name of new Set([...Object.keys(old), ...Object.keys(next)])) {
    const pair = { before: old[name], after: next[name] };
    if (pair.before !== pair.after)
      visit({ ...pair, typed: fieldBelow(typed, name), path: [...path, fieldStep(name)] }, drafts);
  }
}

function visitItems(kind: ListKind, { before, after, typed, path }: Pair, drafts: Drafts): void {
  const old = itemsByStep(typed, kind, before);
  const next = itemsByStep(typed, kind, after);
  for (const step of new Set([...old.keys(), ...next.keys()])) {
    const below = [...path, step];
    const items = { before: old.get(step) ?? [], after: next.get(step) ?? [] };
    visitItem(items, { typed: itemBelow(typed), path: below }, drafts);
  }
}

interface Items {
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
}

/** Items that share their keys are compared as one value; nobody can own what is inside of them. */
function visitItem({ before, after }: Items, place: Pick<Pair, 'typed' | 'path'>, drafts: Drafts): void {
  if (before.length > 1 && after.length > 1) {
    if (!same(before, after)) drafts.modified.add(place.path);
    return;
  }
  if (before.length > 1) {
    if (after.length > 0) visit({ ...place, before: undefined, after: after[0] }, drafts);
    return drafts.removed.add(place.path);
  }
  if (after.length > 1) {
    if (before.length > 0) visit({ ...place, before: before[0], after: undefined }, drafts);
    return drafts.added.add(place.path);
  }
  visit({ ...place, before: before[0], after: after[0] }, drafts);
}
