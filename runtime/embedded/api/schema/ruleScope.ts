import { type Compiled, type Refused, compile } from '../cel/compile.ts';
import { type Declared, declaredOf } from '../cel/types/declared.ts';
import { type CelType, optionalOf } from '../cel/types/type.ts';
import type { Schema, ValidationRule } from './schema.ts';

/** What the rules of a schema are compiled over. */
export interface RuleScope {
  /** Null for a schema whose values no rule can reach. */
  readonly declared: Declared | null;
  readonly compile: (text: string, rule: ValidationRule) => Compiled | Refused;
}

/** The scope of the rules that a schema carries for its own values; `isWhole` where these are objects of a kind. */
export function ruleScope(schema: Schema, isWhole: boolean): RuleScope {
  const declared = declaredOf(schema, isWhole || schema['x-kubernetes-embedded-resource'] === true);
  return {
    declared,
    compile(text, { optionalOldSelf }) {
      if (!declared) return { at: 'compilation', why: 'unable to convert structural schema to CEL declarations' };
      const variables = new Map<string, CelType>([
        ['self', declared.type],
        ['oldSelf', optionalOldSelf === true ? optionalOf(declared.type) : declared.type],
      ]);
      return compile(text, variables);
    },
  };
}

interface CompiledRule {
  readonly rule: ValidationRule;
  readonly condition: Compiled | Refused;
  /** Null where there is none, and where it cannot be compiled. */
  readonly message: Compiled | null;
}

const known = new WeakMap<Schema, readonly CompiledRule[]>();

/** The rules of a schema for its own values, each compiled once. */
export function compiledRules(schema: Schema, isWhole: boolean): readonly CompiledRule[] {
  const before = known.get(schema);
  if (before) return before;
  const scope = ruleScope(schema, isWhole);
  const rules = (schema['x-kubernetes-validations'] ?? []).map((rule) => {
    const message = rule.messageExpression ? scope.compile(rule.messageExpression, rule) : null;
    return { rule, condition: scope.compile(rule.rule, rule), message: message && 'why' in message ? null : message };
  });
  known.set(schema, rules);
  return rules;
}
