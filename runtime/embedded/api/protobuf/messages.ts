import messages from './messages.json' with { type: 'json' };

/** The type of a field: plain, a message, or a list or map of these. */
export type FieldType = NamedType | ListType | MapType;
interface NamedType {
  readonly is: 'plain' | 'message';
  readonly name: string;
}
interface ListType {
  readonly is: 'list';
  readonly of: FieldType;
}
interface MapType {
  readonly is: 'map';
  readonly of: FieldType;
}

export interface FieldShape {
  /** Empty when the fields of the message stand in the one that holds it. */
  readonly json: string;
  readonly type: FieldType;
  /** `always`: an empty value is shown too; `given`: whatever is sent is shown; `filled`: empty values are left out. */
  readonly shown: 'always' | 'given' | 'filled';
}

type MessageShape = ReadonlyMap<number, FieldShape>;

/**
 * The protobuf messages of the built-in kinds: field numbers, JSON names and types of the public Kubernetes API.
 * A row reads `<JSON name> <mark><type>`: mark `*` for a pointer, `!` for a field that is never left out; the name `>`
 * for a message whose fields stand in its holder.
 */
const table: Readonly<Record<string, Readonly<Record<string, string>>>> = messages;
const plain = [
  'string',
  'int',
  'bool',
  'bytes',
  'double',
  'Time',
  'MicroTime',
  'Quantity',
  'IntOrString',
  'FieldsV1',
  'RawExtension',
  'Duration',
];
const shapes = new Map<string, MessageShape>();

export function messageShape(name: string): MessageShape | null {
  const rows = table[name];
  if (!rows) return null;
  const known =
    shapes.get(name) ?? new Map(Object.entries(rows).map(([number, row]) => [Number(number), fieldShape(row)]));
  shapes.set(name, known);
  return known;
}

/** The message of a kind; null for one that has none here. Its version counts where the group serves several. */
export function messageOf(group: string, version: string, kind: string): string | null {
  const prefix = group === '' ? '' : `${group.split('.')[0]}.`;
  return [`${prefix}${version}.${kind}`, `${prefix}${kind}`].find((name) => table[name] !== undefined) ?? null;
}

function fieldShape(row: string): FieldShape {
  const [json = '', marked = ''] = row.split(' ');
  const mark = marked[0];
  const shown = mark === '!' ? 'always' : mark === '*' ? 'given' : 'filled';
  return { json: json === '>' ? '' : json, type: typeOf(marked.replace(/^[!*]/, '')), shown };
}

function typeOf(text: string): FieldType {
  if (text.startsWith('[]')) return { is: 'list', of: typeOf(text.slice(2)) };
  if (text.startsWith('map:')) return { is: 'map', of: typeOf(text.slice(4)) };
  return { is: plain.includes(text) ? 'plain' : 'message', name: text };
}
