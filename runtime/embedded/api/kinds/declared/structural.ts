import { patternFault } from '../../cel/functions/regex.ts';
import { isJson } from '../../json.ts';
import { forbiddenField, invalidObject, invalidValue, notSupported, required } from '../../schema/cause.ts';
import { pruned } from '../../schema/prune.ts';
import type { Schema } from '../../schema/schema.ts';
import { faultsOf } from '../../schema/validate.ts';
import { type Cause, mostFaults } from '../../status.ts';
import { type Budget, type Place, inside, newBudget, rootPlace } from './cost.ts';
import { misshapenFaults } from './misshapen.ts';
import { ruleFaults } from './rule.ts';

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const listTypes = ['atomic', 'set', 'map'];

/** What would make a schema no structural one, or one that cannot be evaluated. */
export function schemaFaults(schema: Schema, path: string): readonly Cause[] {
  const root = schema.type ?? '';
  if (root === '') return [required(`${path}.type`, 'must not be empty at the root')];
  if (root !== 'object') return [invalidValue(`${path}.type`, root, 'must be object at the root')];
  const misshapen = misshapenFaults(schema, path);
  if (misshapen.length > 0) return misshapen;
  const faults = [...metadataFaults(schema, path)];
  addNodeFaults(schema, path, 'object fields', faults);
  // What is told of is full already.
  if (faults.length > mostFaults) return faults;
  // Rules over a schema that is none would be told of what is wrong with that.
  const budget = newBudget();
  const isSound = (at: string) => !faults.some(({ field }) => field.startsWith(at));
  return [...faults, ...rulesFaults(schema, rootPlace(path), { budget, isSound }), ...budget.faults(path)];
}

/** Fields that every object has are of the type that they have everywhere. */
function metadataFaults({ properties = {} }: Schema, path: string): readonly Cause[] {
  const wanted = { metadata: 'object', apiVersion: 'string', kind: 'string' };
  const wrong = Object.entries(wanted).flatMap(([name, type]) => {
    const found = properties[name]?.type;
    if (found === undefined || found === type) return [];
    return [invalidValue(`${path}.properties[${name}].type`, found, `must be ${type}`)];
  });
  const own = Object.keys(properties['metadata']?.properties ?? {});
  if (own.every((name) => name === 'name' || name === 'generateName')) return wrong;
  const why = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
  return [...wrong, forbiddenField(`${path}.properties[metadata]`, why)];
}

/** Adds what is wrong with a schema and all below it: handed up from level to level it would be copied at each. */
function addNodeFaults(schema: Schema, path: string, of: string, faults: Cause[]): void {
  const { items, properties = {}, additionalProperties } = schema;
  faults.push(...ownFaults(schema, path, of));
  for (const [name, inner] of Object.entries(properties))
    addNodeFaults(inner, `${path}.properties[${name}]`, 'object fields', faults);
  if (items) addNodeFaults(items, `${path}.items`, 'array items', faults);
  if (isJson(additionalProperties))
    addNodeFaults(additionalProperties, `${path}.additionalProperties`, 'object fields', faults);
}

const ownFaults = (schema: Schema, path: string, of: string): readonly Cause[] => [
  ...typeFaults(schema, path, of),
  ...combinedFaults(schema, path),
  ...listFaults(schema, path),
  ...defaultFaults(schema, path),
  ...(schema.pattern === undefined ? [] : patternFaults(schema.pattern, `${path}.pattern`)),
];

interface Judging {
  readonly budget: Budget;
  /** Whether nothing is wrong with the schema at a path and below it. */
  readonly isSound: (path: string) => boolean;
}

function rulesFaults(schema: Schema, place: Place, judging: Judging): readonly Cause[] {
  const { items, properties, additionalProperties } = schema;
  const below = (one: Schema, step: string) =>
    rulesFaults(one, inside(place, schema, `${place.path}.${step}`), judging);
  return [
    ...(hasRules(schema) && judging.isSound(place.path) ? ruleFaults(schema, place, judging.budget) : []),
    ...Object.entries(properties ?? {}).flatMap(([name, inner]) => below(inner, `properties[${name}]`)),
    ...(items ? below(items, 'items') : []),
    ...(isJson(additionalProperties) ? below(additionalProperties, 'additionalProperties') : []),
  ];
}

const hasRules = (schema: Schema) => schema['x-kubernetes-validations'] !== undefined;

function typeFaults(schema: Schema, path: string, of: string): readonly Cause[] {
  const { type, uniqueItems } = schema;
  const keepsUnknown = schema['x-kubernetes-preserve-unknown-fields'];
  const isFree = schema['x-kubernetes-int-or-string'] === true || keepsUnknown !== undefined;
  return [
    ...(type === undefined && !isFree ? [required(`${path}.type`, `must not be empty for specified ${of}`)] : []),
    ...(type !== undefined && !types.includes(type) ? [notSupported(`${path}.type`, type, types)] : []),
    ...(keepsUnknown === false
      ? [invalidValue(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined')]
      : []),
    ...(uniqueItems === true
      ? [
          forbiddenField(
            `${path}.uniqueItems`,
            'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
          ),
        ]
      : []),
    ...('$ref' in schema ? [forbiddenField(`${path}.$ref`, '$ref is not supported')] : []),
    ...(schema['x-kubernetes-map-type'] !== undefined && type !== 'object'
      ? [invalidValue(`${path}.type`, type ?? '', 'must be object if x-kubernetes-map-type is specified')]
      : []),
  ];
}

const emptyInside = ['type', 'title', 'description'] as const;

/** Schemas that others are combined of say only what a value must hold, not what it is. */
function combinedFaults({ allOf, anyOf, oneOf, not, ...schema }: Schema, path: string): readonly Cause[] {
  const mayName = schema['x-kubernetes-int-or-string'] === true;
  const inside = (inner: Schema, at: string): readonly Cause[] => [
    ...emptyInside
      .filter((name) => inner[name as keyof Schema] !== undefined && !(mayName && name === 'type'))
      .map((name) => forbiddenField(`${at}.${name}`, 'must be empty to be structural')),
    ...(inner.default === undefined ? [] : [forbiddenField(`${at}.default`, 'must be undefined to be structural')]),
  ];
  const all = Object.entries({ allOf, anyOf, oneOf });
  return [
    ...all.flatMap(([name, list = []]) => list.flatMap((inner, index) => inside(inner, `${path}.${name}[${index}]`))),
    ...(not ? inside(not, `${path}.not`) : []),
  ];
}

function listFaults(schema: Schema, path: string): readonly Cause[] {
  const { type, items } = schema;
  const listType = schema['x-kubernetes-list-type'];
  const missing = type === 'array' && !items ? [required(`${path}.items`, 'must be specified')] : [];
  if (listType === undefined) return missing;
  if (type !== 'array')
    return [invalidValue(`${path}.type`, type ?? '', 'must be array if x-kubernetes-list-type is specified')];
  if (!listTypes.includes(listType)) return [notSupported(`${path}.x-kubernetes-list-type`, listType, listTypes)];
  return listType === 'map' ? [...missing, ...mapFaults(schema, path)] : missing;
}

function mapFaults({ items, 'x-kubernetes-list-map-keys': keys = [] }: Schema, path: string): readonly Cause[] {
  const ofMap = "parent array's x-kubernetes-list-type is map";
  const keyless =
    keys.length === 0
      ? [required(`${path}.x-kubernetes-list-map-keys`, 'must not be empty if x-kubernetes-list-type is map')]
      : [];
  if (items?.type !== 'object')
    return [...keyless, invalidValue(`${path}.items.type`, items?.type ?? '', `must be object if ${ofMap}`)];
  const each = keys.flatMap((key): readonly Cause[] => {
    const at = `${path}.items.properties[${key}]`;
    const found = items.properties?.[key];
    if (!found)
      return [invalidValue(`${path}.x-kubernetes-list-map-keys`, key, 'entries must all be names of item properties')];
    if (found.type === 'object' || found.type === 'array')
      return [invalidValue(`${at}.type`, found.type, `must be a scalar type if ${ofMap}`)];
    if (found.default !== undefined || items.required?.includes(key)) return [];
    const why = 'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property';
    return [required(`${at}.default`, why)];
  });
  return [...keyless, ...each];
}

/** A default is a value of its schema, and nothing of it is pruned. */
function defaultFaults(schema: Schema, path: string): readonly Cause[] {
  const value = schema.default;
  if (value === undefined || value === null) return [];
  const field = `${path}.default`;
  let unknown = 0;
  if (isJson(value)) pruned(schema, value, 'default', () => (unknown += 1));
  if (unknown > 0) return [invalidObject(field, value, 'must not have unknown fields')];
  return faultsOf(schema, value, '').map((fault) => ({
    ...fault,
    field: fault.field === '' || fault.field === '<nil>' ? field : `${field}.${fault.field}`,
  }));
}

/** Patterns are those of RE2: what only other engines know is none. */
function patternFaults(pattern: string, field: string): readonly Cause[] {
  const why = patternFault(pattern);
  if (why === null) return [];
  const message = `must be a valid regular expression, but isn't: ${why}`;
  return [invalidValue(field, pattern, message)];
}
