import { isJson } from '../json.ts';
import { type FieldSet, isEmpty, emptySet } from './fieldSet.ts';
import { type Typed, fieldBelow, fieldsWithSteps, isNamed, itemBelow, itemStep, shapeOf } from './shape.ts';
import { fieldOf } from './step.ts';

/** The value without the fields of a set; undefined when nothing is left of it. */
export function removeFields(typed: Typed, value: unknown, gone: FieldSet): unknown {
  if (isEmpty(gone)) return value;
  const shape = shapeOf(typed, value);
  if (isJson(value)) {
    if (shape.is === 'map' && shape.atomic) return undefined;
    const left = fieldsWithSteps(value).flatMap(([step, name, inner]) => {
      const below = gone.below.get(step);
      const rest = below ? removedAt(fieldBelow(typed, name), inner, below) : inner;
      return rest === undefined ? [] : [[name, rest] as const];
    });
    return left.length === 0 ? undefined : Object.fromEntries(left);
  }
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

const removedAt = (typed: Typed, value: unknown, gone: FieldSet) =>
  gone.member ? undefined : removeFields(typed, value, gone);

/** The set with the fields above its members, as far as the schema names them. */
export function withNamedFields(typed: Typed, set: FieldSet): FieldSet {
  const below = [...set.below].map(([step, inner]) => {
    const name = fieldOf(step);
    const next = withNamedFields(name === undefined ? itemBelow(typed) : fieldBelow(typed, name), inner);
    const named = name !== undefined && inner.below.size > 0 && isNamed(typed, name);
    return [step, { member: inner.member || named, below: next.below }] as const;
  });
  return below.length === 0 ? (set.member ? set : emptySet) : { member: set.member, below: new Map(below) };
}
