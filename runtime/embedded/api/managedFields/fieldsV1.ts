import { type Json, isJson } from '../json.ts';
import { type FieldSet, type Path, emptySet, isEmpty, leafSet, setWith } from './fieldSet.ts';
import { isStep, sortedSteps } from './step.ts';

/** A set as `managedFields[].fieldsV1` writes it. */
export function toFieldsV1(set: FieldSet): Json {
  const fields: Record<string, Json> = {};
  write(set, fields);
  return fields;
}

/** What is written of a path that ends; the same of all. */
const ending: Json = {};

function write({ below }: FieldSet, fields: Record<string, Json>): void {
  for (const step of sortedSteps(below.keys())) {
    const inner = below.get(step) ?? emptySet;
    fields[step] = inner.below.size === 0 ? ending : writtenBelow(inner);
  }
}

function writtenBelow(set: FieldSet): Json {
  const written: Record<string, Json> = set.member ? { '.': ending } : {};
  write(set, written);
  return written;
}

/** The set that a `fieldsV1` describes; steps of an unknown sort are left out. */
export function fromFieldsV1(fields: Json): FieldSet {
  const below = new Map<string, FieldSet>();
  for (const step of Object.keys(fields)) {
    const inner = fields[step];
    if (!isJson(inner) || !isStep(step)) continue;
    const set = fromFieldsV1(inner);
    below.set(step, isEmpty(set) ? leafSet : setWith('.' in inner, set.below));
  }
  return setWith(false, below);
}

/** Every path of a set: at each level first those that end there. */
export const pathsOf = (set: FieldSet): Generator<Path> => pathsBelow(set, []);

function* pathsBelow(set: FieldSet, here: string[]): Generator<Path> {
  const steps = sortedSteps(set.below.keys());
  for (const step of steps) if (set.below.get(step)?.member) yield [...here, step];
  for (const step of steps) {
    const inner = set.below.get(step) ?? emptySet;
    if (inner.below.size === 0) continue;
    here.push(step);
    yield* pathsBelow(inner, here);
    here.pop();
  }
}
