import { type Check, checkerOf } from '../../cel/compile.ts';
import { withObjectParts } from '../../cel/types.ts';
import { invalidValue, notSupported, required } from '../../schema/cause.ts';
import type { Schema, ValidationRule } from '../../schema/schema.ts';
import type { Cause } from '../../status.ts';

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** What is wrong with the rules in CEL that a schema carries for its own value. */
export function ruleFaults(schema: Schema, path: string): readonly Cause[] {
  const rules = schema['x-kubernetes-validations'] ?? [];
  const seen = path.endsWith('openAPIV3Schema') ? withObjectParts(schema) : schema;
  return rules.flatMap((rule, index) => faultsOf(rule, seen, `${path}.x-kubernetes-validations[${index}]`));
}

function faultsOf(rule: ValidationRule, schema: Schema, path: string): readonly Cause[] {
  const text = rule.rule ?? '';
  if (text.trim() === '') return [required(`${path}.rule`, 'rule is not specified')];
  const check = checkerOf(schema, rule);
  const wrong = check(text.trim(), 'bool');
  return [
    ...(wrong === null
      ? []
      : [
          invalidRule(
            `${path}.rule`,
            rule,
            wrong.is === 'refused' ? `compilation failed: ${wrong.why}` : 'cel expression must evaluate to a bool',
          ),
        ]),
    ...messageFaults(rule, check, path),
    ...(rule.reason !== undefined && !reasons.includes(rule.reason)
      ? [notSupported(`${path}.reason`, rule.reason, reasons)]
      : []),
    ...(rule.fieldPath !== undefined && !leadsSomewhere(schema, rule.fieldPath)
      ? [invalidValue(`${path}.fieldPath`, rule.fieldPath, 'must be a valid path')]
      : []),
    ...(rule.optionalOldSelf !== undefined && !/\boldSelf\b/.test(text)
      ? [invalidValue(`${path}.optionalOldSelf`, rule.optionalOldSelf, 'may not be set if oldSelf is not used in rule')]
      : []),
  ];
}

function messageFaults(rule: ValidationRule, check: Check, path: string): readonly Cause[] {
  const { message, messageExpression } = rule;
  const wrong = messageExpression === undefined ? null : check(messageExpression.trim(), 'string');
  const field = `${path}.message`;
  const said = message !== undefined && message !== '';
  return [
    ...(said && message.trim() === '' ? [invalidValue(field, message, 'must be non-empty if specified')] : []),
    ...(said && message.trim() !== '' && /[\r\n]/.test(message)
      ? [invalidValue(field, message, 'must not contain line breaks')]
      : []),
    ...(!said && messageExpression === undefined && /[\r\n]/.test(rule.rule.trim())
      ? [required(field, 'message must be specified if rule contains line breaks')]
      : []),
    ...(wrong === null
      ? []
      : [
          invalidRule(
            `${path}.messageExpression`,
            rule,
            wrong.is === 'refused'
              ? `messageExpression compilation failed: ${wrong.why}`
              : 'messageExpression must evaluate to a string',
          ),
        ]),
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
