import { Environment } from '@marcbachmann/cel-js';
import { addLibrary } from '../cel/library.ts';
import { celNames } from '../cel/name.ts';
import { isJson } from '../json.ts';
import type { Cause } from '../status.ts';
import { forbiddenField, invalidValue, required } from './cause.ts';
import type { Schema, ValidationRule } from './schema.ts';

type Program = (variables: Record<string, unknown>) => unknown;

const environment = addLibrary(new Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true }));

const programs = new Map<string, Program>();

/** The condition ready to be evaluated; throws what is wrong with it. */
export function compileRule(rule: string): Program {
  const known = programs.get(rule) ?? (environment.parse(rule) as Program);
  programs.set(rule, known);
  return known;
}

const withRules = new WeakMap<Schema, boolean>();

/** Whether a schema, or any inside it, carries a rule. */
export function hasRules(schema: Schema): boolean {
  const known = withRules.get(schema);
  if (known !== undefined) return known;
  const { properties = {}, additionalProperties, items } = schema;
  const inner = [
    ...Object.values(properties),
    ...(items ? [items] : []),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ];
  const found = (schema['x-kubernetes-validations'] ?? []).length > 0 || inner.some(hasRules);
  withRules.set(schema, found);
  return found;
}

/** The rules of a schema that a value breaks, with those of everything inside it. `old` is the value it replaces. */
export function brokenRules(schema: Schema, value: unknown, old: unknown, path: string): readonly Cause[] {
  if (value === null || value === undefined) return [];
  const own = (schema['x-kubernetes-validations'] ?? []).flatMap((rule) => judge(rule, schema, { value, old }, path));
  return [...own, ...below(schema, value, old, path)];
}

function below(schema: Schema, value: unknown, old: unknown, path: string): readonly Cause[] {
  const { properties, additionalProperties, items } = schema;
  if (Array.isArray(value)) {
    if (!items) return [];
    return value.flatMap((item, index) => brokenRules(items, item, oldItem(schema, item, old), `${path}[${index}]`));
  }
  if (!isJson(value)) return [];
  const before = isJson(old) ? old : {};
  return Object.entries(value).flatMap(([name, inner]) => {
    const known = properties?.[name] ?? (typeof additionalProperties === 'object' ? additionalProperties : null);
    return known ? brokenRules(known, inner, before[name], path === '' ? name : `${path}.${name}`) : [];
  });
}

/** Only the items of a list map can be told from one another over time. */
function oldItem(schema: Schema, item: unknown, old: unknown): unknown {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (!keys || !Array.isArray(old) || !isJson(item)) return undefined;
  return (old as readonly unknown[]).find((one) => isJson(one) && keys.every((key) => one[key] === item[key]));
}

const looksBack = (rule: string) => /\boldSelf\b/.test(rule);

interface Judged {
  readonly value: unknown;
  readonly old: unknown;
}

function judge(rule: ValidationRule, schema: Schema, { value, old }: Judged, path: string): readonly Cause[] {
  if (looksBack(rule.rule) && old === undefined && rule.optionalOldSelf !== true) return [];
  const self = celValue(schema, value);
  const variables = { self, oldSelf: old === undefined ? undefined : celValue(schema, old) };
  const field = `${path}${rule.fieldPath ?? ''}` || '<nil>';
  try {
    if (compileRule(rule.rule)(variables) === true) return [];
    return [cause(rule, field, value, messageOf(rule, variables))];
  } catch (why) {
    return [cause(rule, field, value, `${rule.rule}: ${why instanceof Error ? why.message : String(why)}`)];
  }
}

function messageOf(rule: ValidationRule, variables: Record<string, unknown>): string {
  if (rule.messageExpression !== undefined) {
    const text = compileRule(rule.messageExpression)(variables);
    if (typeof text === 'string' && text.trim() !== '') return text;
  }
  return rule.message ?? `failed rule: ${rule.rule.trim()}`;
}

function cause({ reason }: ValidationRule, field: string, value: unknown, message: string): Cause {
  if (reason === 'FieldValueForbidden') return forbiddenField(field, message);
  if (reason === 'FieldValueRequired') return required(field, message);
  if (isJson(value) || Array.isArray(value))
    return { field, reason: 'FieldValueInvalid', message: `Invalid value: ${message}` };
  return invalidValue(field, value, message);
}

/** Integers as CEL's int, and the fields of objects under the names that rules use; map keys stay as they are. */
function celValue(schema: Schema | undefined, value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) && schema?.type !== 'number' ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map((item) => celValue(schema?.items, item));
  if (!isJson(value)) return value;
  const { properties, additionalProperties } = schema ?? {};
  const ofMap = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const known = celValue(properties?.[name] ?? ofMap, inner);
      return (ofMap ? [name] : celNames(name)).map((one) => [one, known]);
    }),
  );
}
