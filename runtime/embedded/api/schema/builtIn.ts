import { type FieldType, messageOf, messageShape } from '../protobuf/messages.ts';
import type { Schema } from './schema.ts';

const schemas = new Map<string, Schema>();

/** The schema of a built-in kind: its fields and their types; null for a kind that has none here. */
export function builtInSchema(group: string, kind: string): Schema | null {
  const message = messageOf(group, kind);
  return message === null ? null : schemaOf(message);
}

function schemaOf(message: string): Schema {
  const known = schemas.get(message);
  if (known) return known;
  const schema: Schema = { type: 'object', nullable: true, properties: Object.fromEntries(propertiesOf(message)) };
  schemas.set(message, schema);
  return schema;
}

function propertiesOf(message: string): readonly (readonly [string, Schema])[] {
  return [...(messageShape(message)?.values() ?? [])].flatMap(({ json, type }) =>
    json === '' && type.is === 'message' ? propertiesOf(type.name) : [[json, typeSchema(type)] as const],
  );
}

/** Everything may be null, which is the same as not given. */
function typeSchema(type: FieldType): Schema {
  if (type.is === 'list') return { type: 'array', nullable: true, items: typeSchema(type.of) };
  if (type.is === 'map') return { type: 'object', nullable: true, additionalProperties: typeSchema(type.of) };
  return type.is === 'message' ? schemaOf(type.name) : { nullable: true, ...plain[type.name] };
}

const plain: Readonly<Record<string, Schema>> = {
  string: { type: 'string' },
  bytes: { type: 'string', format: 'byte' },
  int: { type: 'integer' },
  double: { type: 'number' },
  bool: { type: 'boolean' },
  Time: { type: 'string', format: 'date-time' },
  MicroTime: { type: 'string', format: 'date-time' },
  IntOrString: { 'x-kubernetes-int-or-string': true },
  FieldsV1: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
};
