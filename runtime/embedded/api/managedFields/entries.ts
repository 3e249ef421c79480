import { type Json, isJson, textAt } from '../json.ts';
import { type FieldSet, emptySet, isEmpty } from './fieldSet.ts';
import { fieldsOfSet, setOfFields } from './shared.ts';

export type Operation = 'Apply' | 'Update';

/** Who manages fields, apart from which ones. */
export interface Manager {
  readonly name: string;
  readonly operation: Operation;
  readonly apiVersion: string;
  readonly subresource: string;
}

/** One manager with its fields and the time it last changed them. */
export interface Entry extends Manager {
  readonly time?: string;
  readonly fields: FieldSet;
}

/** Two entries are of the same manager; one that applies stays the same in every version. */
export const isSameManager = (a: Manager, b: Manager): boolean =>
  a.name === b.name &&
  a.operation === b.operation &&
  a.subresource === b.subresource &&
  (a.operation === 'Apply' || a.apiVersion === b.apiVersion);

/** The entries of `metadata.managedFields`; null where they cannot be read. */
export function decodeEntries(value: unknown): readonly Entry[] | null {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return null;
  const entries = new Map<string, Entry>();
  for (const one of value as readonly unknown[]) {
    const entry = isJson(one) ? decodeEntry(one) : null;
    if (!entry) return null;
    // Who is told of again keeps the first place.
    entries.set(identityOf(entry), entry);
  }
  return [...entries.values()];
}

/** The same for two entries of the same manager alone. */
const identityOf = ({ name, operation, apiVersion, subresource }: Manager): string =>
  JSON.stringify([name, operation, subresource, operation === 'Apply' ? '' : apiVersion]);

function decodeEntry(entry: Json): Entry | null {
  const { operation } = entry;
  const apiVersion = textAt(entry, 'apiVersion');
  if ((operation !== 'Apply' && operation !== 'Update') || apiVersion === '' || entry['fieldsType'] !== 'FieldsV1')
    return null;
  const fields = entry['fieldsV1'] ?? {};
  if (!isJson(fields)) return null;
  const time = textAt(entry, 'time');
  return {
    name: textAt(entry, 'manager'),
    operation,
    apiVersion,
    subresource: textAt(entry, 'subresource'),
    ...(time !== '' && { time }),
    fields: setOfFields(fields),
  };
}

/** The entries as they stand in an object: those that apply first, then by time and name. */
export const encodeEntries = (entries: readonly Entry[]): readonly Json[] =>
  entries
    .filter(({ fields }) => !isEmpty(fields))
    .toSorted(compareEntries)
    .map(encodeEntry);

function encodeEntry({ name, operation, apiVersion, time, fields, subresource }: Entry): Json {
  const entry: Record<string, unknown> = {};
  if (name !== '') entry['manager'] = name;
  entry['operation'] = operation;
  entry['apiVersion'] = apiVersion;
  if (time !== undefined) entry['time'] = time;
  entry['fieldsType'] = 'FieldsV1';
  entry['fieldsV1'] = fieldsOfSet(fields);
  if (subresource !== '') entry['subresource'] = subresource;
  return entry;
}

const orderOf = ({ operation, time = '', name, apiVersion, subresource }: Entry): readonly string[] => [
  operation,
  time,
  name,
  apiVersion,
  subresource,
];

function compareEntries(a: Entry, b: Entry): number {
  const theirs = orderOf(b);
  for (const [index, text] of orderOf(a).entries()) {
    const other = theirs[index] ?? '';
    if (text !== other) return text < other ? -1 : 1;
  }
  return 0;
}

export const fieldsOfManager = (entries: readonly Entry[], manager: Manager): FieldSet =>
  entries.find((entry) => isSameManager(entry, manager))?.fields ?? emptySet;

/** The entries with one manager's put in; without it when it has no fields. */
export function withEntry(entries: readonly Entry[], entry: Entry): readonly Entry[] {
  const others = entries.filter((other) => !isSameManager(other, entry));
  return isEmpty(entry.fields) ? others : [...others, entry];
}
