import { isJson } from '../../json.ts';
import { invalidValue } from '../../schema/cause.ts';
import type { Cause } from '../../status.ts';

const schemas = ['allOf', 'anyOf', 'oneOf'];
const lists = ['required', 'enum', 'x-kubernetes-list-map-keys', 'x-kubernetes-validations'];
const texts = ['type', 'format', 'pattern', 'x-kubernetes-list-type', 'x-kubernetes-map-type'];

/** Parts that are of no type a schema has. What stands below `items` and the like is not read as a schema before. */
export function misshapenFaults(schema: unknown, path: string): readonly Cause[] {
  if (!isJson(schema)) return [invalidValue(path, schema, 'must be a schema')];
  const { items, properties, additionalProperties, not } = schema;
  return [
    ...texts.flatMap((name) => unless(isText(schema[name]), `${path}.${name}`, schema[name], 'must be a string')),
    ...lists.flatMap((name) => unless(isList(schema[name]), `${path}.${name}`, schema[name], 'must be a list')),
    ...schemas.flatMap((name) => listFaults(schema[name], `${path}.${name}`)),
    ...[...asList(schema['required']), ...asList(schema['x-kubernetes-list-map-keys'])].flatMap((name) =>
      unless(typeof name === 'string', path, name, 'must be a name'),
    ),
    ...asList(schema['x-kubernetes-validations']).flatMap((rule, index) =>
      unless(isRule(rule), `${path}.x-kubernetes-validations[${index}]`, rule, 'must be a rule'),
    ),
    ...propertyFaults(properties, path),
    ...(items === undefined ? [] : misshapenFaults(items, `${path}.items`)),
    ...(not === undefined ? [] : misshapenFaults(not, `${path}.not`)),
    ...(additionalProperties === undefined || typeof additionalProperties === 'boolean'
      ? []
      : misshapenFaults(additionalProperties, `${path}.additionalProperties`)),
  ];
}

const unless = (holds: boolean, path: string, value: unknown, why: string): readonly Cause[] =>
  holds ? [] : [invalidValue(path, value, why)];

const isText = (value: unknown) => value === undefined || typeof value === 'string';
const isList = (value: unknown) => value === undefined || Array.isArray(value);
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const ruleTexts = ['rule', 'message', 'messageExpression', 'reason', 'fieldPath'];
const isRule = (rule: unknown): boolean => isJson(rule) && ruleTexts.every((name) => isText(rule[name]));

function listFaults(value: unknown, path: string): readonly Cause[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [invalidValue(path, value, 'must be a list')];
  return value.flatMap((one, index) => misshapenFaults(one, `${path}[${index}]`));
}

function propertyFaults(properties: unknown, path: string): readonly Cause[] {
  if (properties === undefined) return [];
  if (!isJson(properties)) return [invalidValue(`${path}.properties`, properties, 'must be an object')];
  return Object.entries(properties).flatMap(([name, inner]) => misshapenFaults(inner, `${path}.properties[${name}]`));
}
