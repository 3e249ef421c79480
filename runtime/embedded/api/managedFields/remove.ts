import { type Json, isJson, setField } from '../json.ts';
import { type FieldSet, isEmpty, setWith } from './fieldSet.ts';
import { type Typed, fieldBelow, isNamed, itemBelow, itemStep, shapeOf } from './shape.ts';
import { fieldOf, fieldStep } from './step.ts';

/** The value without the fields of a set; undefined when nothing is left of it. */
export function removeFields(typed: Typed, value: unknown, gone: FieldSet): unknown {
  if (isEmpty(gone)) return value;
  const shape = shapeOf(typed, value);
  if (isJson(value)) return shape.is === 'map' && shape.atomic ? undefined : withoutFields(typed, value, gone);
  if (!Array.isArray(value) || shape.is !== 'list') return value;
  if (shape.kind.by === 'nothing') return undefined;
  const { kind } = shape;
  const left = (value as readonly unknown[]).flatMap((item) => {
    const found = itemStep(typed, kind, item);
    const below = 'step' in found ? gone.below.get(found.step) : undefined;
    const rest = below ? removedAt(itemBelow(typed), item, below) : item;
    return rest === undefined ? [] : [rest];
  });
  return left.length === 0 ? undefined : left;
}

function withoutFields(typed: Typed, value: Json, gone: FieldSet): Json | undefined {
  const left: Record<string, unknown> = {};
  let isLeft = false;
  for (const name of Object.keys(value)) {
    const inner = value[name];
    const below = gone.below.get(fieldStep(name));
    const rest = below ? removedAt(fieldBelow(typed, name), inner, below) : inner;
    if (rest === undefined) continue;
    isLeft = true;
    setField(left, name, rest);
  }
  return isLeft ? left : undefined;
}

const removedAt = (typed: Typed, value: unknown, gone: FieldSet) =>
  gone.member ? undefined : removeFields(typed, value, gone);

/** The set with the fields above its members, as far as the schema names them; the very same where it has them. */
export function withNamedFields(typed: Typed, set: FieldSet): FieldSet {
  if (set.below.size === 0) return set;
  const below = new Map<string, FieldSet>();
  let isChanged = false;
  for (const [step, inner] of set.below) {
    const next = inner.below.size === 0 ? inner : withName(typed, step, inner);
    if (next !== inner) isChanged = true;
    below.set(step, next);
  }
  return isChanged ? setWith(set.member, below) : set;
}

function withName(typed: Typed, step: string, set: FieldSet): FieldSet {
  const name = fieldOf(step);
  const next = withNamedFields(name === undefined ? itemBelow(typed) : fieldBelow(typed, name), set);
  return !next.member && name !== undefined && isNamed(typed, name) ? setWith(true, next.below) : next;
}
