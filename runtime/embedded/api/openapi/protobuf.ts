import { isJson, listAt, textAt, wordOf } from '../json.ts';
import type { Document } from './component.ts';

/** An OpenAPI 2 document in its protobuf form: what clients read of it, which is its schemas. */
export const encodeDocument = (document: Document): Buffer =>
  Buffer.concat([
    text(1, '2.0'),
    message(2, text(1, textAt(document, 'info', 'title')), text(2, textAt(document, 'info', 'version'))),
    message(8),
    message(9, ...namedSchemas(document['definitions'])),
  ]);

const namedSchemas = (schemas: unknown): readonly Buffer[] =>
  Object.entries(isJson(schemas) ? schemas : {}).map(([name, schema]) =>
    message(1, text(1, name), message(2, ...schemaFields(schema))),
  );

function schemaFields(schema: unknown): readonly Buffer[] {
  if (!isJson(schema)) return [];
  const { items, properties, additionalProperties } = schema;
  const type = textAt(schema, 'type');
  return [
    ...texts(1, textAt(schema, '$ref')),
    ...texts(2, textAt(schema, 'format')),
    ...texts(4, textAt(schema, 'description')),
    ...texts(13, textAt(schema, 'pattern')),
    ...listAt(schema, 'required').map((name) => text(19, wordOf(name))),
    ...listAt(schema, 'enum').map((one) => message(20, text(2, JSON.stringify(one)))),
    ...(isJson(additionalProperties) ? [message(21, message(1, ...schemaFields(additionalProperties)))] : []),
    ...(type === '' ? [] : [message(22, text(1, type))]),
    ...(isJson(items) ? [message(23, message(1, ...schemaFields(items)))] : []),
    ...(isJson(properties) ? [message(25, ...namedSchemas(properties))] : []),
    ...Object.entries(schema)
      .filter(([name]) => name.startsWith('x-'))
      .map(([name, value]) => message(31, text(1, name), message(2, text(2, JSON.stringify(value))))),
  ];
}

const texts = (number: number, value: string): readonly Buffer[] => (value === '' ? [] : [text(number, value)]);
const text = (number: number, value: string): Buffer => delimited(number, Buffer.from(value));
const message = (number: number, ...parts: readonly Buffer[]): Buffer => delimited(number, Buffer.concat(parts));
const delimited = (number: number, bytes: Buffer): Buffer =>
  Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}
