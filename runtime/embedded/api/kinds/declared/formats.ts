import { type Json, at, isJson, listAt, wordOf } from '../../json.ts';

const ofText = new Set(
  (
    'bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn isbn10 isbn13 creditcard ssn ' +
    'hexcolor rgbcolor byte password date duration datetime k8sshortname k8slongname'
  ).split(' '),
);
const others: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
};

function isKnown(type: string, format: string): boolean {
  return type === '' || type === 'string'
    ? ofText.has(format.replaceAll('-', ''))
    : others[type]?.includes(format) === true;
}

/** The formats in the schemas of a definition that nobody would check. */
function unknownFormats(definition: Json | undefined): readonly string[] {
  return listAt(definition, 'spec', 'versions').flatMap((version) =>
    inSchema(at(version, 'schema', 'openAPIV3Schema')),
  );
}

function inSchema(schema: unknown): readonly string[] {
  if (!isJson(schema)) return [];
  const { properties, items, additionalProperties } = schema;
  const format = wordOf(schema['format'] ?? '');
  const own = format === '' || isKnown(wordOf(schema['type'] ?? ''), format) ? [] : [format];
  const inner = [...Object.values(isJson(properties) ? properties : {}), items, additionalProperties];
  return [...own, ...inner.flatMap(inSchema)];
}

/** What a client is warned of that declares a kind: formats that are new to it and unknown. */
export function formatWarnings(definition: Json, old: Json | undefined): readonly string[] {
  const before = new Set(unknownFormats(old));
  return [...new Set(unknownFormats(definition))]
    .filter((format) => !before.has(format))
    .map((format) => `unrecognized format ${JSON.stringify(format)}`);
}
