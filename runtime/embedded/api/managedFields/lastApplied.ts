import { type Json, isJson, jsonAt, same, textAt, without } from '../json.ts';
import { compare } from './compare.ts';
import type { FieldConflict } from './conflict.ts';
import { difference, isEmpty } from './fieldSet.ts';
import { fieldsOf } from './fieldsOf.ts';
import type { Typed } from './shape.ts';

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
/** The manager whose applies go on from those that kubectl works out by itself. */
export const kubectl = 'kubectl';

/** The conflicts that are left when what kubectl itself applied before may be taken over; all where it applied nothing. */
export function beyondLastApplied(
  typed: Typed,
  live: Json,
  conflicts: readonly FieldConflict[],
): readonly FieldConflict[] {
  const last = parsed(textAt(live, 'metadata', 'annotations', annotation));
  if (!last || textAt(last, 'apiVersion') !== textAt(live, 'apiVersion')) return conflicts;
  const { added, modified, removed } = compare(typed, last, live);
  const allowed = [modified, added, removed].reduce(difference, fieldsOf(typed, last));
  return conflicts
    .map(({ manager, fields }) => ({ manager, fields: difference(fields, allowed) }))
    .filter(({ fields }) => !isEmpty(fields));
}

function parsed(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value : null;
  } catch {
    return null;
  }
}

/** The object with kubectl's own record brought up to what was applied, where it keeps one. */
export function withLastApplied(object: Json, given: Json): Json {
  const annotations = jsonAt(object, 'metadata', 'annotations');
  if (textAt(annotations, annotation) === '') return object;
  const metadata = jsonAt(given, 'metadata');
  const own = jsonAt(metadata, 'annotations');
  const rest = without(own, annotation);
  const recorded = {
    ...given,
    metadata: { ...metadata, ...(same(own, rest) ? {} : { annotations: rest }) },
  };
  const text = `${JSON.stringify(sorted(recorded))}\n`;
  return {
    ...object,
    metadata: { ...jsonAt(object, 'metadata'), annotations: { ...annotations, [annotation]: text } },
  };
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJson(value)) return value;
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, inner]) => [name, sorted(inner)]));
}
