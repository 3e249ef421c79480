import type { Stored } from '../../store.ts';
import { type Json, at, jsonAt, listAt, textAt } from '../json.ts';
import { type Expression, type Scope, type Variables, compile } from './expression.ts';
import { type NamedExpression, type Read, inputOf } from './input.ts';
import { matching } from './matching.ts';

/** A validation that a write fails. */
export interface Denial {
  readonly message: string;
  readonly reason: string;
}

/** A ValidatingAdmissionPolicy, compiled. */
export interface Policy {
  readonly name: string;
  readonly matches: ReturnType<typeof matching>;
  readonly paramKind: Json | null;
  /** Whether what cannot be judged is admitted. */
  readonly ignoresFailure: boolean;
  readonly judge: (read: Read) => readonly Denial[];
}

interface Validation {
  readonly expression: Expression;
  readonly messageExpression: Expression | null;
  readonly message: string;
  readonly reason: string;
}

/** The expressions of a policy; throws an ExpressionError for one that does not compile. */
export function compilePolicy(policy: Stored): Policy {
  const spec = jsonAt(policy, 'spec');
  const scope: Scope = { params: spec['paramKind'] !== undefined, variables: new Map() };
  const variables = variablesOf(spec, scope);
  const whole: Scope = { ...scope, variables: typesByName(variables) };
  const conditions = listAt(spec, 'matchConditions').map((one) => compile(textAt(one, 'expression'), whole, 'bool'));
  const validations = listAt(spec, 'validations').map((one) => validationOf(one, whole));
  const annotations = listAt(spec, 'auditAnnotations').map((one) =>
    compile(textAt(one, 'valueExpression'), whole, 'any'),
  );
  const ignoresFailure = textAt(spec, 'failurePolicy') === 'Ignore';

  function judge(read: Read): readonly Denial[] {
    // The conditions are asked without the namespace.
    const judged = conditions.length === 0 || applies(conditions, inputOf({ ...read, namespace: null }, variables));
    if (judged !== true) return judged === false ? [] : failure(judged);
    const input = inputOf(read, variables);
    return [
      ...validations.flatMap((validation) => denialOf(validation, input)),
      ...annotations.flatMap((annotation) => {
        const error = valueOf(annotation, input).error;
        return error === null ? [] : failure(error);
      }),
    ];
  }

  const failure = (message: string): readonly Denial[] => (ignoresFailure ? [] : [{ message, reason: '' }]);

  function denialOf(validation: Validation, input: Variables): readonly Denial[] {
    const { value, error } = valueOf(validation.expression, input);
    if (error !== null) return failure(error);
    return value === true ? [] : [{ message: messageOf(validation, input), reason: validation.reason }];
  }

  return {
    name: policy.metadata.name,
    matches: matching(jsonAt(spec, 'matchConstraints')),
    paramKind: scope.params ? jsonAt(spec, 'paramKind') : null,
    ignoresFailure,
    judge,
  };
}

function variablesOf(spec: Json, scope: Scope): readonly NamedExpression[] {
  const known: NamedExpression[] = [];
  for (const one of listAt(spec, 'variables')) {
    const before = { ...scope, variables: typesByName(known) };
    known.push({ name: textAt(one, 'name'), expression: compile(textAt(one, 'expression'), before, 'any') });
  }
  return known;
}

const typesByName = (variables: readonly NamedExpression[]) =>
  new Map(variables.map(({ name, expression }) => [name, expression.type] as const));

function validationOf(validation: unknown, scope: Scope): Validation {
  const messageExpression = textAt(validation, 'messageExpression');
  return {
    expression: compile(textAt(validation, 'expression'), scope, 'bool'),
    messageExpression: messageExpression === '' ? null : compile(messageExpression, scope, 'string'),
    message: textAt(validation, 'message').trim(),
    reason: textAt(validation, 'reason') || 'Invalid',
  };
}

/** False as soon as one condition is not met; the text of what could not be asked, if all others are. */
function applies(conditions: readonly Expression[], input: Variables): boolean | string {
  const results = conditions.map((condition) => valueOf(condition, input));
  if (results.some(({ value }) => value === false)) return false;
  const errors = results.flatMap(({ error }) => (error === null ? [] : [error]));
  if (errors.length === 0) return true;
  return errors.length === 1 ? String(errors[0]) : `[${[...new Set(errors)].join(', ')}]`;
}

function valueOf(
  expression: Expression,
  input: Variables,
): { readonly value?: unknown; readonly error: string | null } {
  try {
    return { value: expression.evaluate(input), error: null };
  } catch (why) {
    return { error: why instanceof Error ? why.message : String(why) };
  }
}

function messageOf({ expression, messageExpression, message }: Validation, input: Variables): string {
  const made = messageExpression && valueOf(messageExpression, input).value;
  const text = typeof made === 'string' ? made.trim() : '';
  if (text !== '' && !text.includes('\n') && Buffer.byteLength(text) <= longestMessage) return text;
  return message === '' ? `failed expression: ${expression.text.trim()}` : message;
}

const longestMessage = 5 * 1024;

/** What a binding makes of a policy. */
export interface Binding {
  readonly name: string;
  readonly policyName: string;
  readonly matches: ReturnType<typeof matching>;
  readonly paramRef: Json | null;
  readonly actions: readonly string[];
}

/** A ValidatingAdmissionPolicyBinding, read. */
export const readBinding = (binding: Stored): Binding => ({
  name: binding.metadata.name,
  policyName: textAt(binding, 'spec', 'policyName'),
  matches: matching(jsonAt(binding, 'spec', 'matchResources')),
  paramRef: at(binding, 'spec', 'paramRef') === undefined ? null : jsonAt(binding, 'spec', 'paramRef'),
  actions: listAt(binding, 'spec', 'validationActions').map(String),
});
