import { withConversionDefaults } from './conversion.ts';
import { type Json, at, isJson, jsonAt, listAt, textAt, without } from '../json.ts';

/** The finalizer that a CustomResourceDefinition carries until its objects are gone. */
export const cleanup = 'customresourcecleanup.apiextensions.k8s.io';

/** A CustomResourceDefinition with its defaults, and with the versions in which its objects may be stored. */
export function withDefinitionDefaults(definition: Json): Json {
  const spec = jsonAt(definition, 'spec');
  const names = jsonAt(spec, 'names');
  const kind = textAt(names, 'kind');
  const filledNames = { ...(kind !== '' && { singular: kind.toLowerCase(), listKind: `${kind}List` }), ...names };
  const conversion = withConversionDefaults(spec['conversion']);
  const filledSpec = { ...spec, conversion, names: filledNames, ...writtenVersions(spec) };
  const stored = listAt(spec, 'versions').filter((version) => at(version, 'storage') === true);
  const status = {
    ...jsonAt(definition, 'status'),
    storedVersions: [
      ...new Set([
        ...listAt(definition, 'status', 'storedVersions'),
        ...stored.map((version) => textAt(version, 'name')),
      ]),
    ],
  };
  return { ...definition, metadata: withCleanup(jsonAt(definition, 'metadata')), spec: filledSpec, status };
}

/** Schemas as they are written: without parts in which there is nothing. */
function writtenVersions(spec: Json): Json {
  const versions = spec['versions'];
  if (!Array.isArray(versions)) return {};
  return {
    versions: versions.map((version: unknown) => {
      const schema = at(version, 'schema', 'openAPIV3Schema');
      return isJson(version) && isJson(schema)
        ? { ...version, schema: { ...jsonAt(version, 'schema'), openAPIV3Schema: withoutEmpty(schema) } }
        : version;
    }),
  };
}

const maps = ['properties', 'patternProperties', 'definitions', 'dependencies'];
const lists = ['required', 'enum', 'allOf', 'oneOf', 'anyOf', 'x-kubernetes-validations', 'x-kubernetes-list-map-keys'];

function withoutEmpty(schema: Json): Json {
  const { properties, items, additionalProperties } = schema;
  const inner = {
    ...(isJson(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, one]) => [name, isJson(one) ? withoutEmpty(one) : one]),
      ),
    }),
    ...(isJson(items) && { items: withoutEmpty(items) }),
    ...(isJson(additionalProperties) && { additionalProperties: withoutEmpty(additionalProperties) }),
  };
  const whole: Json = { ...schema, ...inner };
  const empty = [
    ...maps.filter((name) => isJson(whole[name]) && Object.keys(jsonAt(whole, name)).length === 0),
    ...lists.filter((name) => Array.isArray(whole[name]) && listAt(whole, name).length === 0),
  ];
  return without(whole, ...empty);
}

function withCleanup(metadata: Json): Json {
  const finalizers = listAt(metadata, 'finalizers');
  if (metadata['deletionTimestamp'] !== undefined || finalizers.includes(cleanup)) return metadata;
  return { ...metadata, finalizers: [...finalizers, cleanup] };
}
