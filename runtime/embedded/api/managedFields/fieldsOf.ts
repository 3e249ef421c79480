import { isJson } from '../json.ts';
import { type FieldSet, type Path, type SetDraft, draftSet } from './fieldSet.ts';
import { type Typed, fieldBelow, fieldsWithSteps, isNamed, itemBelow, itemsByStep, shapeOf } from './shape.ts';

/** The set of all fields that a value gives. */
export function fieldsOf(root: Typed, value: unknown): FieldSet {
  const draft = draftSet();
  give({ typed: root, value, path: [] }, draft);
  return draft.done();
}

interface Given {
  readonly typed: Typed;
  readonly value: unknown;
  readonly path: Path;
}

function give(given: Given, set: SetDraft): void {
  const { typed, value, path } = given;
  const shape = shapeOf(typed, value);
  if (shape.is === 'list') return giveList(given, set);
  if (shape.is === 'scalar' || shape.atomic) return set.add(path);
  if (!isJson(value)) return;
  for (const [step, name, inner] of fieldsWithSteps(value)) {
    const below = [...path, step];
    give({ typed: fieldBelow(typed, name), value: inner, path: below }, set);
    if (inner === null || isEmptyMap(inner) || !isNamed(typed, name)) set.add(below);
  }
}

const isEmptyMap = (value: unknown) => isJson(value) && Object.keys(value).length === 0;

function giveList({ typed, value, path }: Given, set: SetDraft): void {
  const shape = shapeOf(typed, value);
  if (shape.is !== 'list') return;
  if (shape.kind.by === 'nothing') return set.add(path);
  for (const [step, items] of itemsByStep(typed, shape.kind, value)) {
    const below = [...path, step];
    set.add(below);
    // Items that share their keys are owned together, and nothing inside of them.
    if (items.length === 1) give({ typed: itemBelow(typed), value: items[0], path: below }, set);
  }
}
