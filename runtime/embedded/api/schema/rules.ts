import { type Compiled, type Evaluated, evaluate, mostOfAll } from '../cel/compile.ts';
import { typedValue } from '../cel/evaluate/adapt.ts';
import { CostError, EvaluationError, Optional } from '../cel/evaluate/values.ts';
import { isJson, same } from '../json.ts';
import type { Cause } from '../status.ts';
import { duplicate, forbiddenField, invalidValue, required } from './cause.ts';
import { oldItemOf } from './oldItem.ts';
import { compiledRules } from './ruleScope.ts';
import type { Schema, ValidationRule } from './schema.ts';

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

/** Rules that an object breaks: those that refuse it, and those that were broken before and only warn. */
export interface Broken {
  readonly faults: readonly Cause[];
  readonly old: readonly Cause[];
}

interface Judged {
  readonly schema: Schema;
  readonly value: unknown;
  /** The value that it replaces; undefined where it replaces none. */
  readonly before: unknown;
  /** Whether it is, or is part of, what stood there before: compared only where a rule is broken. */
  readonly isKept: () => boolean;
  readonly path: string;
}

/** The rules of a schema that an object breaks, with those of everything inside it. `old` is what it replaces. */
export function brokenRules(schema: Schema, object: unknown, old: unknown): Broken {
  const faults: Cause[] = [];
  const kept: Cause[] = [];
  let left = mostOfAll;

  /** Whether more may be evaluated. */
  function judge(judged: Judged): boolean {
    const { schema: own, value, before, path } = judged;
    if (value === null || value === undefined) return true;
    for (const one of compiledRules(own, path === '')) {
      if (left <= 0) return exhausted(judged);
      const looksBack = !('why' in one.condition) && one.condition.uses.has('oldSelf');
      if (looksBack && before === undefined && one.rule.optionalOldSelf !== true) continue;
      if (!ask(judged, one)) return false;
    }
    for (const inner of innerOf(judged)) if (!judge(inner)) return false;
    return true;
  }

  function exhausted({ schema: { type }, path }: Judged): false {
    faults.push(
      invalidValue(
        path || '<nil>',
        type,
        'validation failed due to running out of cost budget, no further validation rules will be run',
      ),
    );
    return false;
  }

  function ask(judged: Judged, { rule, condition, message }: ReturnType<typeof compiledRules>[number]): boolean {
    const { schema: own, path, isKept } = judged;
    const refuse = (why: string) => void faults.push(invalidValue(path || '<nil>', own.type, why));
    if ('why' in condition) {
      refuse(`rule compile error: compilation failed: ${condition.why}`);
      return true;
    }
    const found = attempt(condition, variablesOf(judged, rule));
    left -= found.cost;
    if (left < 0) return exhausted(judged);
    if ('error' in found) {
      refuse(errorText(found.error, textOf(rule)));
      return !(found.error instanceof CostError);
    }
    if (found.value === true) return true;
    const told = message && attempt(message, variablesOf(judged, rule));
    left -= told?.cost ?? 0;
    const text = told && 'value' in told ? messageOf(told.value) : null;
    const fault = broken(rule, judged, text ?? (rule.message ? textOf(rule) : `failed rule: ${textOf(rule)}`));
    (!condition.uses.has('oldSelf') && isKept() ? kept : faults).push(fault);
    return true;
  }

  judge({ schema, value: object, before: old, isKept: () => old !== undefined && same(object, old), path: '' });
  return { faults, old: kept };
}

/** The values below which a rule stands: whatever else an object holds costs nothing. */
function* innerOf(judged: Judged): Iterable<Judged> {
  const { schema, value, before, path } = judged;
  const { properties, additionalProperties, items } = schema;
  const within = (inner: Omit<Judged, 'isKept'>): Judged => ({
    ...inner,
    isKept: () => (inner.before === undefined ? judged.isKept() : same(inner.value, inner.before)),
  });
  if (Array.isArray(value)) {
    if (!items || !hasRules(items)) return;
    const oldOf = oldItemOf(schema, before);
    for (const [index, item] of (value as readonly unknown[]).entries())
      yield within({ schema: items, value: item, before: oldOf(item), path: `${path}[${index}]` });
    return;
  }
  if (!isJson(value)) return;
  const old = isJson(before) ? before : {};
  for (const name of Object.keys(value)) {
    const known = properties?.[name];
    const of = known ?? (typeof additionalProperties === 'object' ? additionalProperties : null);
    if (!of || !hasRules(of)) continue;
    const at = known ? `${path}${path === '' ? '' : '.'}${name}` : `${path}[${name}]`;
    yield within({ schema: of, value: value[name], before: old[name], path: at });
  }
}

function variablesOf({ schema, value, before, path }: Judged, { optionalOldSelf }: ValidationRule) {
  const seen = (one: unknown) => typedValue(schema, one, path === '');
  if (optionalOldSelf === true)
    return { self: seen(value), oldSelf: before === undefined ? Optional.none : new Optional(seen(before)) };
  return { self: seen(value), ...(before !== undefined && { oldSelf: seen(before) }) };
}

type Attempt = Evaluated | { readonly error: EvaluationError; readonly cost: number };

function attempt(compiled: Compiled, variables: Readonly<Record<string, unknown>>): Attempt {
  try {
    return evaluate(compiled, variables);
  } catch (error) {
    if (error instanceof EvaluationError) return { error, cost: 1 };
    throw error;
  }
}

/** A rule by its message, or by itself. */
const textOf = ({ rule, message }: ValidationRule) => (message || rule).trim();

function errorText(error: EvaluationError, rule: string): string {
  if (error instanceof CostError)
    return `'${error.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${rule}`;
  if (error.message.startsWith('no such overload'))
    return `'${error.message}': call arguments did not match a supported operator, function or macro signature for rule: ${rule}`;
  return `${error.message} evaluating rule: ${rule}`;
}

const longestMessage = 5 * 1024;

/** The computed message, if it is valid. */
function messageOf(value: unknown): string | null {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' || text.includes('\n') || Buffer.byteLength(text) > longestMessage ? null : text;
}

function broken({ reason, fieldPath = '' }: ValidationRule, { schema, value, path }: Judged, message: string): Cause {
  const field = `${path}${fieldPath}`.replace(/^\./, '') || '<nil>';
  if (reason === 'FieldValueForbidden') return forbiddenField(field, message);
  if (reason === 'FieldValueRequired') return required(field, message);
  if (reason === 'FieldValueDuplicate') return duplicate(field, value);
  if (schema.type === 'object' || schema.type === 'array')
    return { field, reason: 'FieldValueInvalid', message: `Invalid value: ${message}` };
  return invalidValue(field, value, message);
}
