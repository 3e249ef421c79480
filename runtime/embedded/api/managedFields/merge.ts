import { type Json, isJson, ownField, setField } from '../json.ts';
import type { ListKind } from './listKind.ts';
import { type Shape, type Typed, fieldBelow, itemBelow, itemStep, shapeOf } from './shape.ts';

/** What is given merged into what is there; undefined is what nobody gives. */
export function merge(typed: Typed, live: unknown, given: unknown): unknown {
  if (given === undefined) return live;
  if (live === undefined) return given;
  const shape = shapeOf(typed, given === null ? live : given);
  if (shape.is === 'scalar' || isBare(given, live)) return given;
  if (shape.is === 'map') return shape.atomic ? given : mergeFields(typed, live, given);
  return shape.kind.by === 'nothing' ? given : mergeItems(typed, shape, { live, given });
}

/** Both hold nothing: then the difference of nothing and null is kept. */
const isBare = (given: unknown, live: unknown) => isNothing(given) && isNothing(live);
const isNothing = (value: unknown) =>
  value === null || (Array.isArray(value) ? value.length === 0 : isJson(value) && Object.keys(value).length === 0);

function mergeFields(typed: Typed, live: unknown, given: unknown): Json {
  const merged: Record<string, unknown> = isJson(live) ? { ...live } : {};
  for (const [name, value] of Object.entries(isJson(given) ? given : {}))
    setField(merged, name, merge(fieldBelow(typed, name), ownField(merged, name), value));
  return merged;
}

interface Both {
  readonly live: unknown;
  readonly given: unknown;
}

type ListShape = Extract<Shape, { readonly is: 'list' }>;
type Named = readonly (readonly [string, unknown])[];

/** The items given in their order; items that only the live list has keep their place among those. */
function mergeItems(typed: Typed, { kind }: ListShape, { live, given }: Both): readonly unknown[] {
  const ours = named(typed, kind, given);
  const theirs = named(typed, kind, live);
  const wanted = new Map(ours);
  const present = once(theirs);
  const shared = ours.map(([step]) => step).filter((step) => present.has(step));
  const merged: unknown[] = [];
  const taken = new Set<string>();
  let next = 0;
  const take = (step: string) => {
    taken.add(step);
    merged.push(merge(itemBelow(typed), present.get(step), wanted.get(step)));
  };
  let index = 0;
  for (const [step, item] of theirs) {
    if (!wanted.has(step)) {
      merged.push(item);
      continue;
    }
    // An item that is wanted later gives its place up.
    if (taken.has(step) || step !== shared[next]) continue;
    while (index < ours.length) {
      const own = ours[index]?.[0] ?? '';
      index += 1;
      take(own);
      if (own === step) break;
    }
    next += 1;
  }
  ours.slice(index).forEach(([step]) => take(step));
  return merged;
}

function named(typed: Typed, kind: ListKind, value: unknown): Named {
  if (!Array.isArray(value)) return [];
  return (value as readonly unknown[]).flatMap((item) => {
    const found = itemStep(typed, kind, item);
    return 'step' in found ? [[found.step, item] as const] : [];
  });
}

/** Items that share their keys are not merged with a new one: it takes their place. */
function once(items: Named): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [step, item] of items) found.set(step, found.has(step) ? undefined : item);
  return found;
}
