import type { Compiled, Refused } from '../../cel/compile.ts';
import { invalidValue, notSupported, required } from '../../schema/cause.ts';
import { type RuleScope, ruleScope } from '../../schema/ruleScope.ts';
import type { Schema, ValidationRule } from '../../schema/schema.ts';
import type { Cause } from '../../status.ts';
import { type Budget, type Place, costOf, tooDear } from './cost.ts';

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** What is wrong with the rules in CEL that a schema carries for its own value. */
export function ruleFaults(schema: Schema, place: Place, budget: Budget): readonly Cause[] {
  const rules = schema['x-kubernetes-validations'] ?? [];
  if (rules.length === 0) return [];
  const scope = ruleScope(schema, place.isRoot);
  return rules.flatMap((rule, index) => {
    const path = `${place.path}.x-kubernetes-validations[${index}]`;
    if ((rule.rule ?? '').trim() === '') return [required(`${path}.rule`, 'rule is not specified')];
    return [
      ...wordFaults(rule, schema, path),
      ...conditionFaults(rule, scope, { ...place, path }, budget),
      ...messageFaults(rule, scope, path, budget),
    ];
  });
}

function conditionFaults(rule: ValidationRule, scope: RuleScope, place: Place, budget: Budget): readonly Cause[] {
  const compiled = scope.compile(rule.rule, rule);
  const field = `${place.path}.rule`;
  const why = whyNot(compiled, 'bool', 'cel expression must evaluate to a bool');
  if (why !== null || 'why' in compiled)
    return [
      invalidRule(
        field,
        rule,
        'why' in compiled
          ? `${compiled.at === 'compilation' ? '' : 'program '}${compiled.at} failed: ${compiled.why}`
          : String(why),
      ),
    ];
  const cost = costOf(compiled, scope, place);
  budget.spend(field, cost);
  return [...tooDear('estimated rule cost', cost, field), ...oldSelfFaults(rule, compiled, place)];
}

/** An old value is available only where it can be correlated. */
function oldSelfFaults(rule: ValidationRule, { uses }: Compiled, { path, untraced }: Place): readonly Cause[] {
  const { optionalOldSelf } = rule;
  if (uses.has('oldSelf'))
    return untraced === null
      ? []
      : [
          invalidValue(
            `${path}.rule`,
            rule.rule,
            `oldSelf cannot be used on the uncorrelatable portion of the schema within ${untraced}`,
          ),
        ];
  const why = 'may not be set if oldSelf is not used in rule';
  return optionalOldSelf === undefined ? [] : [invalidValue(`${path}.optionalOldSelf`, optionalOldSelf, why)];
}

const whyNot = (compiled: Compiled | Refused, wanted: string, why: string) =>
  'why' in compiled || compiled.type.kind === wanted ? null : why;

function messageFaults(rule: ValidationRule, scope: RuleScope, path: string, budget: Budget): readonly Cause[] {
  const { messageExpression = '' } = rule;
  const field = `${path}.messageExpression`;
  if (messageExpression === '') return [];
  if (messageExpression.trim() === '') return [required(field, 'messageExpression must be non-empty if specified')];
  const compiled = scope.compile(messageExpression, rule);
  if ('why' in compiled) return [invalidRule(field, rule, `messageExpression ${compiled.at} failed: ${compiled.why}`)];
  const why = whyNot(compiled, 'string', 'messageExpression must evaluate to a string');
  if (why !== null) return [invalidRule(field, rule, why)];
  const cost = scope.declared ? compiled.mostCost(scope.declared) : 0;
  budget.spend(field, cost);
  return tooDear('estimated messageExpression cost', cost, field);
}

function wordFaults(rule: ValidationRule, schema: Schema, path: string): readonly Cause[] {
  const { message = '', reason, fieldPath } = rule;
  const field = `${path}.message`;
  return [
    ...(message !== '' && message.trim() === ''
      ? [invalidValue(field, message, 'must be non-empty if specified')]
      : []),
    ...(/[\r\n]/.test(message.trim()) ? [invalidValue(field, message, 'must not contain line breaks')] : []),
    ...(message === '' && /[\r\n]/.test(rule.rule.trim())
      ? [required(field, 'message must be specified if rule contains line breaks')]
      : []),
    ...(reason !== undefined && !reasons.includes(reason) ? [notSupported(`${path}.reason`, reason, reasons)] : []),
    ...(fieldPath !== undefined && !leadsSomewhere(schema, fieldPath)
      ? [invalidValue(`${path}.fieldPath`, fieldPath, 'must be a valid path')]
      : []),
  ];
}

/** A rule is shown whole, and with the names of its parts that a compiler has for them. */
const invalidRule = (field: string, rule: ValidationRule, why: string): Cause => {
  const shown = {
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
  const text = JSON.stringify(shown).replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
  return { field, reason: 'FieldValueInvalid', message: `Invalid value: ${text}: ${why}` };
};

/** Names behind dots, and in brackets those that dots would not do for. */
function leadsSomewhere(schema: Schema, path: string): boolean {
  const steps = [...path.matchAll(/\.([^.[\]]+)|\['([^']+)'\]/g)].map(([, plain, quoted]) => plain ?? quoted ?? '');
  let here: Schema | undefined = schema;
  for (const step of steps) {
    const ofMap: Schema['additionalProperties'] = here?.additionalProperties;
    here = here?.properties?.[step] ?? (typeof ofMap === 'object' ? ofMap : undefined);
  }
  return steps.length > 0 && here !== undefined;
}
