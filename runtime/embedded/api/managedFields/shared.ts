import { type Json, isJson } from '../json.ts';
import type { FieldSet } from './fieldSet.ts';
import { fromFieldsV1, toFieldsV1 } from './fieldsV1.ts';

const mostKept = 1_024;
const longestText = 8_192;
/** None is shorter than `"f:":{},`. */
const mostFields = longestText / 8;
/** Objects of one kind written by one program have the same sets: each is kept once, the newest of them alone. */
const kept = new Map<string, Json>();
const setsOf = new WeakMap<Json, FieldSet>();
const writtenAs = new WeakMap<FieldSet, Json>();

/** The one `fieldsV1` of those that read the same. */
function shared(fields: Json): Json {
  if (isLong(fields)) return fields;
  const text = JSON.stringify(fields);
  if (text.length > longestText) return fields;
  const known = kept.get(text);
  if (known) return known;
  kept.set(text, fields);
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
  return fields;
}

/** Whether the text is too long by the number of its fields alone, for which nothing needs to be written. */
function isLong(fields: Json): boolean {
  let left = mostFields;
  const count = (within: Json): void => {
    for (const step of Object.keys(within)) {
      left -= 1;
      const inner = within[step];
      if (left > 0 && isJson(inner)) count(inner);
    }
  };
  count(fields);
  return left <= 0;
}

/** The set that a `fieldsV1` describes. */
export function setOfFields(fields: Json): FieldSet {
  const known = setsOf.get(fields);
  if (known) return known;
  const one = shared(fields);
  const set = setsOf.get(one) ?? fromFieldsV1(one);
  setsOf.set(one, set);
  return set;
}

/** A set as `fieldsV1` writes it. */
export function fieldsOfSet(set: FieldSet): Json {
  const known = writtenAs.get(set);
  if (known) return known;
  const fields = shared(toFieldsV1(set));
  writtenAs.set(set, fields);
  return fields;
}

/** Lets entries that were just read have their sets in common with all other objects. */
export function shareSets(entries: readonly unknown[]): void {
  for (const entry of entries)
    if (isJson(entry) && isJson(entry['fieldsV1'])) Object.assign(entry, { fieldsV1: shared(entry['fieldsV1']) });
}
