import type { Stored } from '../../../store.ts';
import { type Json, at, isJson, jsonAt, listAt, same, textAt } from '../../json.ts';
import { invalidObject, invalidValue, notSupported, required } from '../../schema/cause.ts';
import type { Cause } from '../../status.ts';
import { approvalFaults } from './approval.ts';
import { hasCondition } from './acceptedNames.ts';
import { labelFaults } from './label.ts';
import { nameFaults } from './names.ts';
import { columnFaults, conversionFaults, selectableFaults, subresourceFaults } from './parts.ts';
import { schemaFaults } from './structural.ts';

const scopes = ['Cluster', 'Namespaced'];
const strategies = ['None', 'Webhook'];
const immutable = 'field is immutable';

/** What is wrong with a CustomResourceDefinition; one that serves already keeps what it is known by. */
export function definitionFaults(definition: Json, old: Stored | undefined): readonly Cause[] {
  const spec = jsonAt(definition, 'spec');
  const changed = old ? changeFaults(spec, old) : [];
  if (changed.length > 0) return changed;
  return [
    ...placeFaults(spec, textAt(definition, 'metadata', 'name')),
    ...versionFaults(spec),
    ...nameFaults(spec),
    ...conversionFaults(spec),
    ...storedFaults(spec, old),
    ...approvalFaults(definition, old),
  ];
}

/** What a definition is stored by never changes; what its objects are, until it is established. */
function changeFaults(spec: Json, old: Stored): readonly Cause[] {
  const fixed = hasCondition(old, 'Established') ? [['scope'], ['names', 'kind']] : [];
  return [['group'], ...fixed, ['names', 'plural']]
    .filter((path) => textAt(spec, ...path) !== '' && !same(at(spec, ...path), at(old.spec, ...path)))
    .map((path) => invalidValue(`spec.${path.join('.')}`, textAt(spec, ...path), immutable));
}

function oneOf(field: string, value: string, values: readonly string[]): readonly Cause[] {
  if (value === '') return [required(field)];
  return values.includes(value) ? [] : [notSupported(field, value, values)];
}

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const subdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

function groupFaults(group: string): readonly Cause[] {
  if (group === '') return [required('spec.group')];
  if (!subdomain.test(group)) return [invalidValue('spec.group', group, subdomainRule)];
  return group.includes('.') ? [] : [invalidValue('spec.group', group, 'should be a domain with at least one dot')];
}

const placeFaults = (spec: Json, name: string): readonly Cause[] => [
  ...(name === `${textAt(spec, 'names', 'plural')}.${textAt(spec, 'group')}`
    ? []
    : [invalidValue('metadata.name', name, 'must be spec.names.plural+"."+spec.group')]),
  ...groupFaults(textAt(spec, 'group')),
  ...oneOf('spec.scope', textAt(spec, 'scope'), scopes),
  ...oneOf('spec.conversion.strategy', textAt(spec, 'conversion', 'strategy') || 'None', strategies),
  ...(spec['preserveUnknownFields'] === true
    ? [
        invalidValue(
          'spec.preserveUnknownFields',
          true,
          'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
        ),
      ]
    : []),
];

const isStorage = (version: unknown) => at(version, 'storage') === true;
const versionsOf = (spec: Json) => listAt(spec, 'versions').filter(isJson);

function versionFaults(spec: Json): readonly Cause[] {
  const versions = versionsOf(spec);
  const names = versions.map((version) => textAt(version, 'name'));
  const shown = Array.isArray(spec['versions']) ? versions.map(shownVersion(spec)) : null;
  const why = [
    ...(new Set(names).size === names.length ? [] : ['must contain unique version names']),
    ...(versions.filter(isStorage).length === 1 ? [] : ['must have exactly one version marked as storage version']),
  ];
  return [
    ...names.flatMap((name, index) => labelFaults(`spec.versions[${index}].name`, name)),
    ...(names[0] === undefined ? [] : labelFaults('spec.version', names[0])),
    ...versions.flatMap((version, index) => schemaless(version, `spec.versions[${index}]`)),
    ...partsOf(spec, 'validation', ['schema']).flatMap(({ value, path }) => ofSchema(value, path)),
    ...partsOf(spec, 'subresources').flatMap(({ value, path }) => subresourceFaults(value, path)),
    ...partsOf(spec, 'additionalPrinterColumns').flatMap(({ value, path }) => each(value, path, columnFaults)),
    ...partsOf(spec, 'selectableFields').flatMap(({ value, path, version }) =>
      selectableFaults(listAt({ value }, 'value'), jsonAt(version, 'schema', 'openAPIV3Schema'), path),
    ),
    ...why.map((one) => invalidObject('spec.versions', shown, one)),
  ];
}

const each = (value: unknown, path: string, check: (one: unknown, path: string) => readonly Cause[]) =>
  listAt({ value }, 'value').flatMap((one, index) => check(one, `${path}[${index}]`));

const schemaless = (version: Json, path: string): readonly Cause[] =>
  isJson(at(version, 'schema', 'openAPIV3Schema')) ? [] : [required(`${path}.schema.openAPIV3Schema`)];

function ofSchema(value: unknown, path: string): readonly Cause[] {
  const schema = at(value, 'openAPIV3Schema');
  return isJson(schema) ? schemaFaults(schema, `${path}.openAPIV3Schema`) : [];
}

interface Part {
  readonly value: unknown;
  readonly path: string;
  readonly version: Json;
}

/** A fault that all versions share is reported once, at the definition. */
function partsOf(spec: Json, shared: string, [own = shared]: readonly string[] = []): readonly Part[] {
  const versions = versionsOf(spec);
  const [first] = versions;
  if (first === undefined) return [];
  if (versions.every((version) => same(version[own], first[own])))
    return [{ value: first[own], path: `spec.${shared}`, version: first }];
  return versions.map((version, index) => ({ value: version[own], path: `spec.versions[${index}].${own}`, version }));
}

/** A version with the names of its parts that the server has for them; what all share is not the version's. */
const shownVersion = (spec: Json) => (version: Json) => {
  const own = (shared: string, name = shared) =>
    partsOf(spec, shared, [name]).length > 1 ? (version[name] ?? null) : null;
  return {
    Name: textAt(version, 'name'),
    Served: at(version, 'served') === true,
    Storage: isStorage(version),
    Deprecated: at(version, 'deprecated') === true,
    DeprecationWarning: version['deprecationWarning'] ?? null,
    Schema: own('validation', 'schema'),
    Subresources: own('subresources'),
    AdditionalPrinterColumns: own('additionalPrinterColumns'),
    SelectableFields: own('selectableFields'),
  };
};

/** Objects may still be stored in every version that once was the one to store. */
function storedFaults(spec: Json, old: Stored | undefined): readonly Cause[] {
  const names = versionsOf(spec).map((version) => textAt(version, 'name'));
  const storage = versionsOf(spec).filter(isStorage);
  const field = 'status.storedVersions';
  if (storage.length === 0) return [invalidObject(field, null, 'must have at least one stored version')];
  if (storage.length > 1) {
    const [first, second] = storage.map((version) => textAt(version, 'name'));
    return [invalidObject(field, [first], `must have the storage version ${second}`)];
  }
  return listAt(old ?? {}, 'status', 'storedVersions').flatMap((version, index) =>
    names.includes(String(version)) ? [] : [invalidValue(`${field}[${index}]`, version, leftBehind(String(version)))],
  );
}

const leftBehind = (version: string) =>
  `missing from spec.versions; ${version} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${version} and removes ${version} from status.storedVersions`;
