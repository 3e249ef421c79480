import type { Stored } from '../../../store.ts';
import { type Json, at, isJson, jsonAt, same, textAt } from '../../json.ts';
import { invalidObject, invalidValue, required } from '../../schema/cause.ts';
import type { Cause } from '../../status.ts';

/** What is peculiar to a built-in kind: what goes with a change, what the API fills in, and what it refuses. */
export interface KindRules {
  readonly change?: (object: Json, old: Stored) => Json;
  readonly fill?: (object: Json) => Json;
  readonly faults?: (object: Json, old: Stored | undefined) => readonly Cause[];
}

/** An object with defaults for the fields of its spec. */
export const withSpec = (object: Json, defaults: Json): Json => ({
  ...object,
  spec: defaulted(jsonAt(object, 'spec'), defaults),
});

/** An object that is labelled as its pods are, where it has no labels of its own. */
export function withLabels(object: Json, labels: Json): Json {
  const metadata = jsonAt(object, 'metadata');
  if (Object.keys(jsonAt(metadata, 'labels')).length > 0 || Object.keys(labels).length === 0) return object;
  return { ...object, metadata: { ...metadata, labels } };
}

/** A value with defaults for the fields that it lacks, or gives as an empty text, which is the same to the API. */
export const defaulted = (value: Json, defaults: Json): Json => ({
  ...defaults,
  ...value,
  ...Object.fromEntries(Object.entries(defaults).filter(([name]) => value[name] === '')),
});

/** A field that may not change once it is set. */
export const fixed =
  (...path: readonly string[]) =>
  (object: Json, old: Stored | undefined): readonly Cause[] => {
    const value = at(object, ...path);
    if (old === undefined || same(value, at(old, ...path))) return [];
    const cause = isJson(value) || Array.isArray(value) ? invalidObject : invalidValue;
    return [cause(path.join('.'), value, 'field is immutable')];
  };

export const needs =
  (...path: readonly string[]) =>
  (object: Json): readonly Cause[] =>
    at(object, ...path) === undefined ? [required(path.join('.'))] : [];

/** Numbers below zero among some fields of a value. */
export const negatives = (value: unknown, path: string, fields: readonly string[]): readonly Cause[] =>
  fields.flatMap((field) => {
    const found = at(value, field);
    return typeof found === 'number' && found < 0
      ? [invalidValue(`${path}.${field}`, found, 'must be greater than or equal to 0')]
      : [];
  });

export const portFaults = (port: unknown, path: string): readonly Cause[] =>
  typeof port === 'number' && (port < 1 || port > 65_535)
    ? [invalidValue(path, port, 'must be between 1 and 65535, inclusive')]
    : [];

/** Items that have the name of one before them. */
export function duplicates(items: readonly unknown[], path: string, key: string): readonly Cause[] {
  const known = new Set<string>();
  return items.flatMap((item, index) => {
    const name = textAt(item, key);
    if (name === '' || !known.has(name)) {
      known.add(name);
      return [];
    }
    return [
      {
        field: `${path}[${index}].${key}`,
        reason: 'FieldValueDuplicate' as const,
        message: `Duplicate value: ${JSON.stringify(name)}`,
      },
    ];
  });
}

/** Each item of a list that is an object, changed; nothing where there is no list. */
export const eachItem = (holder: Json, field: string, change: (item: Json) => Json): Json => {
  const items = holder[field];
  if (!Array.isArray(items)) return {};
  return { [field]: items.map((item: unknown) => (isJson(item) ? change(item) : item)) };
};
