import { type Json, isJson } from '../json.ts';
import { type FieldSet, type Path, emptySet, isEmpty } from './fieldSet.ts';
import { compareSteps, isStep } from './step.ts';

/** A set as `managedFields[].fieldsV1` writes it. */
export function toFieldsV1(set: FieldSet): Json {
  const fields: Record<string, Json> = {};
  write(set, fields);
  return fields;
}

function write({ below }: FieldSet, fields: Record<string, Json>): void {
  for (const step of [...below.keys()].toSorted(compareSteps)) {
    const inner = below.get(step) ?? emptySet;
    const written: Record<string, Json> = inner.member && inner.below.size > 0 ? { '.': {} } : {};
    write(inner, written);
    fields[step] = written;
  }
}

/** The set that a `fieldsV1` tells; steps of an unknown sort are left out. */
export function fromFieldsV1(fields: Json): FieldSet {
  const below = new Map<string, FieldSet>();
  for (const [step, inner] of Object.entries(fields)) {
    if (!isStep(step) || !isJson(inner)) continue;
    const set = fromFieldsV1(inner);
    below.set(step, { member: '.' in inner || isEmpty(set), below: set.below });
  }
  return { member: false, below };
}

/** Every path of a set: at each level first those that end there. */
export function pathsOf(set: FieldSet, before: Path = []): readonly Path[] {
  const steps = [...set.below].toSorted(([a], [b]) => compareSteps(a, b));
  const ending = steps.filter(([, inner]) => inner.member).map(([step]) => [...before, step]);
  return [...ending, ...steps.flatMap(([step, inner]) => pathsOf(inner, [...before, step]))];
}
