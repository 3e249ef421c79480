import type { Environment } from '@marcbachmann/cel-js';
import type { Schema } from '../schema/schema.ts';
import { celNames } from './name.ts';

const scalars: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'int',
  number: 'double',
  boolean: 'bool',
};
const formats: Readonly<Record<string, string>> = {
  byte: 'bytes',
  date: 'google.protobuf.Timestamp',
  'date-time': 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
};

const text: Schema = { type: 'string' };
const metadata: Schema = { type: 'object', properties: { name: text, generateName: text } };
/** What of an object with a kind of its own a rule can always reach. */
const ofEveryObject = { apiVersion: text, kind: text, metadata };

/** The schema of a whole object, with what every object has. */
export const withObjectParts = (schema: Schema): Schema => ({
  ...schema,
  properties: { ...schema.properties, ...ofEveryObject },
});

/** What the names of the types of objects begin with; nobody else gives a type such a name. */
export const objectType = 'Object__';

/** Makes the type of the values of a schema known to an environment, and gives its name. */
export function declareType(environment: Environment, schema: Schema): string {
  let count = 0;

  function nameOf(one: Schema | undefined): string {
    if (one === undefined || one['x-kubernetes-int-or-string'] === true) return 'dyn';
    const { type = '', format = '', items, additionalProperties } = one;
    if (type === 'array') return `list<${nameOf(items)}>`;
    if (typeof additionalProperties === 'object') return `map<string, ${nameOf(additionalProperties)}>`;
    if (type === 'string') return formats[format] ?? 'string';
    return type === 'object' ? ofObject(one) : (scalars[type] ?? 'dyn');
  }

  function ofObject(one: Schema): string {
    const { properties } = one['x-kubernetes-embedded-resource'] === true ? withObjectParts(one) : one;
    if (properties === undefined || Object.keys(properties).length === 0) return 'dyn';
    const name = `${objectType}${(count += 1)}`;
    const fields = Object.entries(properties).flatMap(([field, inner]) => {
      const known = nameOf(inner);
      return celNames(field).map((one) => [one, known]);
    });
    environment.registerType(name, { fields: Object.fromEntries(fields) as Record<string, string> });
    return name;
  }

  return nameOf(schema);
}
