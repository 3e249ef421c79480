import { type Json, listAt, textAt } from '../json.ts';
import { groupVersion, type ResourceType } from '../kinds/type.ts';
import { type Attributes, isNamespace } from './attributes.ts';

/** Which of the types that serve the same objects a rule names: the one asked for, or an equivalent; null for none. */
export type RuleMatch = (attributes: Attributes, equivalents: () => readonly ResourceType[]) => ResourceType | null;

/** The rules of a list as one question; `Exact` asks for the very version of the request. */
export function resourceRules(rules: readonly unknown[], matchPolicy: string): RuleMatch {
  const compiled = rules.map(ruleOf);
  return (attributes, equivalents) => {
    const named = (type: ResourceType) => compiled.some((rule) => rule(attributes, type));
    if (named(attributes.type)) return attributes.type;
    if (matchPolicy === 'Exact' || compiled.length === 0) return null;
    return equivalents().find(named) ?? null;
  };
}

const texts = (rule: unknown, field: string) => listAt(rule, field).map(String);
const oneOf = (items: readonly string[], value: string) => items.includes('*') || items.includes(value);

function ruleOf(rule: unknown): (attributes: Attributes, type: ResourceType) => boolean {
  const [operations, groups, versions] = ['operations', 'apiGroups', 'apiVersions'].map((field) => texts(rule, field));
  const resources = texts(rule, 'resources').map((text) => text.split('/', 2));
  const names = texts(rule, 'resourceNames');
  const scope = textAt(rule, 'scope') || '*';
  return (attributes, type) =>
    oneOf(operations ?? [], attributes.operation) &&
    oneOf(groups ?? [], type.group) &&
    oneOf(versions ?? [], type.version) &&
    resources.some(([name = '', sub = '']) => covers(name, type.plural) && covers(sub, attributes.subresource)) &&
    (names.length === 0 || names.includes(attributes.name)) &&
    inScope(scope, attributes);
}

const covers = (asked: string, found: string) => asked === '*' || asked === found;

function inScope(scope: string, attributes: Attributes): boolean {
  const namespaced = attributes.namespace !== '' && !isNamespace(attributes);
  return scope === '*' || (scope === 'Namespaced') === namespaced;
}

/** A write as it would be if it had been asked for in another version of the same kind. */
export function asVersion(attributes: Attributes, type: ResourceType): Attributes {
  if (type === attributes.type || attributes.subresource === 'scale') return attributes;
  const apiVersion = groupVersion(type);
  const inVersion = (object: Json | null) => object && { ...object, apiVersion };
  return {
    ...attributes,
    kind: { group: type.group, version: type.version, kind: type.kind },
    object: inVersion(attributes.object),
    oldObject: inVersion(attributes.oldObject),
  };
}
