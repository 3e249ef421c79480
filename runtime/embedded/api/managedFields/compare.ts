import { type Json, isJson, ownField, same } from '../json.ts';
import type { FieldSet } from './fieldSet.ts';
import type { ListKind } from './listKind.ts';
import { type SetDraft, draftSet } from './setDraft.ts';
import { type Shape, type Typed, fieldBelow, isPlain, itemBelow, itemsByStep, shapeOf } from './shape.ts';
import { fieldStep } from './step.ts';

/** What became of the fields of a value. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

interface Walk {
  readonly added: SetDraft;
  readonly modified: SetDraft;
  readonly removed: SetDraft;
}

/** What stands at one place in the two versions. */
interface Pair {
  readonly before: unknown;
  readonly after: unknown;
}

/** Compares two versions of a value, field by field. */
export function compare(root: Typed, before: unknown, after: unknown): Comparison {
  const walk: Walk = { added: draftSet(), modified: draftSet(), removed: draftSet() };
  visit(root, { before, after }, walk);
  return { added: walk.added.done(), modified: walk.modified.done(), removed: walk.removed.done() };
}

function visit(typed: Typed, pair: Pair, walk: Walk): void {
  const { before, after } = pair;
  if (before === after) return;
  const shape = shapeOf(typed, after === undefined ? before : after);
  let isLeaf = visitAs(shape, typed, pair, walk);
  // Both shapes where the value became another one.
  if (before !== undefined && after !== undefined) {
    const previous = shapeOf(typed, before);
    if (previous.is !== shape.is) isLeaf = visitAs(previous, typed, pair, walk) || isLeaf;
  }
  if (isLeaf) return;
  if (before === undefined) walk.added.add();
  else if (after === undefined) walk.removed.add();
}

function below(step: string, { added, modified, removed }: Walk, run: () => void): void {
  added.enter(step);
  modified.enter(step);
  removed.enter(step);
  run();
  added.leave();
  modified.leave();
  removed.leave();
}

function visitBelow(step: string, typed: Typed, pair: Pair, walk: Walk): void {
  below(step, walk, () => visit(typed, pair, walk));
}

/** Whether the value counts as one leaf. */
function visitAs(shape: Shape, typed: Typed, pair: Pair, walk: Walk): boolean {
  if (isWhole(shape) || (isBare(pair.before) && isBare(pair.after))) {
    leaf(pair, walk);
    return true;
  }
  if (shape.is === 'list') visitItems(shape.kind, typed, pair, walk);
  else visitFields(typed, pair, walk);
  return false;
}

const isWhole = (shape: Shape) =>
  shape.is === 'scalar' || (shape.is === 'list' ? shape.kind.by === 'nothing' : shape.atomic);

/** Nothing, or nothing inside: then it counts whether it is there. */
const isBare = (value: unknown) =>
  value === undefined ||
  value === null ||
  (Array.isArray(value) ? value.length === 0 : isJson(value) && Object.keys(value).length === 0);

function leaf({ before, after }: Pair, { added, modified, removed }: Walk): void {
  if (before === undefined) added.add();
  else if (after === undefined) removed.add();
  else if (!same(before, after)) modified.add();
}

const nothing: Json = {};

function visitFields(typed: Typed, { before, after }: Pair, walk: Walk): void {
  const old = isJson(before) ? before : nothing;
  const next = isJson(after) ? after : nothing;
  for (const name of Object.keys(old))
    visitField(typed, name, { before: old[name], after: ownField(next, name) }, walk);
  for (const name of Object.keys(next))
    if (!Object.hasOwn(old, name)) visitField(typed, name, { before: undefined, after: next[name] }, walk);
}

function visitField(typed: Typed, name: string, pair: Pair, walk: Walk): void {
  const { before, after } = pair;
  if (before === after) return;
  const change = plainChange(pair);
  if (change === null) visitBelow(fieldStep(name), fieldBelow(typed, name), pair, walk);
  else walk[change].addLeaf(fieldStep(name));
}

/** What became of a value that is plain before and after; most values of large objects are. */
function plainChange({ before, after }: Pair): keyof Walk | null {
  if (before === undefined) return isPlain(after) ? 'added' : null;
  if (!isPlain(before)) return null;
  if (after === undefined) return 'removed';
  return isPlain(after) ? 'modified' : null;
}

function visitItems(kind: ListKind, typed: Typed, { before, after }: Pair, walk: Walk): void {
  const old = itemsByStep(typed, kind, before);
  const next = itemsByStep(typed, kind, after);
  const ofItem = itemBelow(typed);
  for (const [step, items] of old) visitItem(step, ofItem, { before: items, after: next.get(step) ?? none }, walk);
  for (const [step, items] of next) if (!old.has(step)) visitItem(step, ofItem, { before: none, after: items }, walk);
}

const none: readonly unknown[] = [];

interface Items {
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
}

/** Items that share their keys are compared as one value; nobody can own what is inside of them. */
function visitItem(step: string, typed: Typed, { before, after }: Items, walk: Walk): void {
  const [wereSeveral, areSeveral] = [before.length > 1, after.length > 1];
  const whole = (set: SetDraft) => below(step, walk, set.add);
  if (wereSeveral && areSeveral) {
    if (!same(before, after)) whole(walk.modified);
    return;
  }
  if (wereSeveral) {
    if (after.length > 0) visitBelow(step, typed, { before: undefined, after: after[0] }, walk);
    return whole(walk.removed);
  }
  if (areSeveral) {
    if (before.length > 0) visitBelow(step, typed, { before: before[0], after: undefined }, walk);
    return whole(walk.added);
  }
  visitBelow(step, typed, { before: before[0], after: after[0] }, walk);
}
