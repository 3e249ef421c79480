import type { Stored } from '../../store.ts';
import { type Json, at, isJson, jsonAt, listAt, same, textAt } from '../json.ts';
import { invalidValue, notSupported, required } from '../schema/cause.ts';
import { compileRule } from '../schema/rules.ts';
import type { Schema } from '../schema/schema.ts';
import type { Cause } from '../status.ts';
import { timestamp } from '../store/objects.ts';

/** The finalizer that a CustomResourceDefinition carries until its objects are gone. */
export const cleanup = 'customresourcecleanup.apiextensions.k8s.io';

/** A CustomResourceDefinition with its defaults and the status that says its API is served. */
export function withDefinitionStatus(definition: Json): Json {
  const spec = jsonAt(definition, 'spec');
  const names = jsonAt(spec, 'names');
  const kind = textAt(names, 'kind');
  const filledNames = { singular: kind.toLowerCase(), listKind: `${kind}List`, ...names };
  const filledSpec = { conversion: { strategy: 'None' }, ...spec, names: filledNames };
  const stored = listAt(spec, 'versions').filter((version) => at(version, 'storage') === true);
  const before = listAt(definition, 'status', 'conditions');
  const status = {
    conditions: [
      condition(before, 'NamesAccepted', 'NoConflicts', 'no conflicts found'),
      condition(before, 'Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
    ],
    acceptedNames: filledNames,
    storedVersions: stored.map((version) => textAt(version, 'name')),
  };
  return { ...definition, metadata: withCleanup(jsonAt(definition, 'metadata')), spec: filledSpec, status };
}

function withCleanup(metadata: Json): Json {
  const finalizers = listAt(metadata, 'finalizers');
  if (metadata['deletionTimestamp'] !== undefined || finalizers.includes(cleanup)) return metadata;
  return { ...metadata, finalizers: [...finalizers, cleanup] };
}

const condition = (before: readonly unknown[], type: string, reason: string, message: string): unknown =>
  before.find((one) => at(one, 'type') === type) ?? {
    type,
    status: 'True',
    reason,
    message,
    lastTransitionTime: timestamp(),
  };

/** What is wrong with a CustomResourceDefinition. */
export function definitionFaults(definition: Json, old: Stored | undefined): readonly Cause[] {
  const spec = jsonAt(definition, 'spec');
  const group = textAt(spec, 'group');
  const plural = textAt(spec, 'names', 'plural');
  const name = textAt(definition, 'metadata', 'name');
  const versions = listAt(spec, 'versions');
  const scope = textAt(spec, 'scope');
  return [
    ...(group === '' ? [required('spec.group')] : []),
    ...['plural', 'kind']
      .filter((one) => textAt(spec, 'names', one) === '')
      .map((one) => required(`spec.names.${one}`)),
    ...(['Namespaced', 'Cluster'].includes(scope)
      ? []
      : [notSupported('spec.scope', scope, ['Cluster', 'Namespaced'])]),
    ...(name === `${plural}.${group}`
      ? []
      : [invalidValue('metadata.name', name, 'must be spec.names.plural+"."+spec.group')]),
    ...(versions.filter((version) => at(version, 'storage') === true).length === 1
      ? []
      : [invalidValue('spec.versions', versions, 'must have exactly one version marked as storage version')]),
    ...versions.flatMap((version, index) => versionFaults(version, `spec.versions[${index}]`)),
    ...(old && !same(textAt(old, 'spec', 'scope'), scope)
      ? [invalidValue('spec.scope', scope, 'field is immutable')]
      : []),
  ];
}

function versionFaults(version: unknown, path: string): readonly Cause[] {
  const schema = at(version, 'schema', 'openAPIV3Schema');
  const field = `${path}.schema.openAPIV3Schema`;
  if (textAt(version, 'name') === '') return [required(`${path}.name`)];
  if (!isJson(schema)) return [required(field, 'schemas are required')];
  const root =
    textAt(schema, 'type') === 'object'
      ? []
      : [invalidValue(`${field}.type`, textAt(schema, 'type'), 'must be object at the root')];
  return [...root, ...schemaFaults(schema, field)];
}

/** What would make a schema no structural one, or one that cannot be evaluated. */
function schemaFaults(schema: Schema, path: string): readonly Cause[] {
  const untyped =
    schema.type === undefined &&
    !schema['x-kubernetes-int-or-string'] &&
    !schema['x-kubernetes-preserve-unknown-fields'];
  const isMap = schema['x-kubernetes-list-type'] === 'map';
  return [
    ...(untyped ? [required(`${path}.type`, 'must not be empty for specified object fields')] : []),
    ...(schema.type === 'array' && !schema.items ? [required(`${path}.items`, 'must be specified')] : []),
    ...(isMap && !schema['x-kubernetes-list-map-keys']?.length ? [required(`${path}.x-kubernetes-list-map-keys`)] : []),
    ...(schema.pattern === undefined ? [] : patternFaults(schema.pattern, `${path}.pattern`)),
    ...(schema['x-kubernetes-validations'] ?? []).flatMap(({ rule }, index) =>
      ruleFaults(rule, `${path}.x-kubernetes-validations[${index}].rule`),
    ),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
      schemaFaults(inner, `${path}.properties[${name}]`),
    ),
    ...(schema.items ? schemaFaults(schema.items, `${path}.items`) : []),
    ...(isJson(schema.additionalProperties)
      ? schemaFaults(schema.additionalProperties, `${path}.additionalProperties`)
      : []),
  ];
}

const patternFaults = (pattern: string, path: string) =>
  failure(() => new RegExp(pattern, 'u')).map((why) => invalidValue(path, pattern, why));
const ruleFaults = (rule: string, path: string) =>
  failure(() => compileRule(rule)).map((why) => invalidValue(path, rule, `compilation failed: ${why}`));

function failure(attempt: () => unknown): readonly string[] {
  try {
    attempt();
    return [];
  } catch (why) {
    return [why instanceof Error ? why.message : String(why)];
  }
}
