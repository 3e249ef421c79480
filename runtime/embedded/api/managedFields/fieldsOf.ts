import { isJson } from '../json.ts';
import { type FieldSet, emptySet, isEmpty, leafSet, setWith } from './fieldSet.ts';
import type { ListKind } from './listKind.ts';
import { type Typed, fieldBelow, isNamed, isPlain, itemBelow, itemsByStep, shapeOf } from './shape.ts';
import { fieldStep } from './step.ts';

/** The set of all fields that a value gives. */
export function fieldsOf(typed: Typed, value: unknown): FieldSet {
  const shape = shapeOf(typed, value);
  if (shape.is === 'list') return ofList(typed, shape.kind, value);
  if (shape.is === 'scalar' || shape.atomic) return leafSet;
  if (!isJson(value)) return emptySet;
  const below = new Map<string, FieldSet>();
  for (const name of Object.keys(value)) {
    const inner = value[name];
    if (inner === undefined) continue;
    if (isPlain(inner)) {
      below.set(fieldStep(name), leafSet);
      continue;
    }
    const set = fieldsOf(fieldBelow(typed, name), inner);
    const isMember = inner === null || isEmptyMap(inner) || !isNamed(typed, name);
    const given = isMember && !set.member ? setWith(true, set.below) : set;
    if (!isEmpty(given)) below.set(fieldStep(name), given);
  }
  return setWith(false, below);
}

const isEmptyMap = (value: unknown) => isJson(value) && Object.keys(value).length === 0;

function ofList(typed: Typed, kind: ListKind, value: unknown): FieldSet {
  if (kind.by === 'nothing') return leafSet;
  const below = new Map<string, FieldSet>();
  for (const [step, items] of itemsByStep(typed, kind, value)) {
    // Items that share their keys are owned together, and nothing inside of them.
    const inner = items.length === 1 ? fieldsOf(itemBelow(typed), items[0]) : emptySet;
    below.set(step, setWith(true, inner.below));
  }
  return setWith(false, below);
}
