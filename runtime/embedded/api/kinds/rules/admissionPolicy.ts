import type { Stored } from '../../../store.ts';
import { ExpressionError, type Scope, compile } from '../../admission/expression.ts';
import { type CelType, dynType } from '../../cel/types/type.ts';
import { type Json, isJson, jsonAt, listAt, textAt } from '../../json.ts';
import { duplicate, forbiddenField, invalidValue, notSupported, required } from '../../schema/cause.ts';
import type { Cause } from '../../status.ts';
import { labelSelectorFaults } from './labelSelector.ts';
import type { KindRules } from './rule.ts';

/** A ValidatingAdmissionPolicy with its defaults. */
function fillPolicy(policy: Json): Json {
  const spec = jsonAt(policy, 'spec');
  const constraints = spec['matchConstraints'];
  return {
    ...policy,
    spec: {
      ...spec,
      ...(isJson(constraints) && { matchConstraints: fillResources(constraints) }),
      failurePolicy: textAt(spec, 'failurePolicy') || 'Fail',
    },
    status: jsonAt(policy, 'status'),
  };
}

/** A ValidatingAdmissionPolicyBinding with its defaults. */
function fillBinding(binding: Json): Json {
  const spec = jsonAt(binding, 'spec');
  const resources = spec['matchResources'];
  return {
    ...binding,
    spec: { ...spec, ...(isJson(resources) && { matchResources: fillResources(resources) }) },
  };
}

function fillResources(resources: Json): Json {
  const rules = (field: string) =>
    Array.isArray(resources[field]) && {
      [field]: listAt(resources, field).map((rule) => ({ ...jsonAt(rule), scope: textAt(rule, 'scope') || '*' })),
    };
  return {
    namespaceSelector: {},
    objectSelector: {},
    matchPolicy: 'Equivalent',
    ...resources,
    ...rules('resourceRules'),
    ...rules('excludeResourceRules'),
  };
}

/** What is wrong with a ValidatingAdmissionPolicy; an expression that did compile once is not compiled again. */
function policyFaults(policy: Json, old: Stored | undefined): readonly Cause[] {
  const spec = jsonAt(policy, 'spec');
  const kept = old && JSON.stringify(old['spec']) === JSON.stringify(spec);
  if (kept) return [];
  const failurePolicy = textAt(spec, 'failurePolicy');
  return [
    ...oneOf('spec.failurePolicy', failurePolicy, ['Fail', 'Ignore']),
    ...paramKindFaults(spec),
    ...constraintFaults(spec),
    ...expressionFaults(spec),
  ];
}

const oneOf = (field: string, value: string, values: readonly string[]): readonly Cause[] =>
  values.includes(value) ? [] : [notSupported(field, value, values)];

const paramKindFaults = (spec: Json): readonly Cause[] =>
  isJson(spec['paramKind'])
    ? ['apiVersion', 'kind']
        .filter((field) => textAt(spec, 'paramKind', field) === '')
        .map((field) => required(`spec.paramKind.${field}`))
    : [];

function constraintFaults(spec: Json): readonly Cause[] {
  const field = 'spec.matchConstraints';
  if (!isJson(spec['matchConstraints'])) return [required(field)];
  const constraints = jsonAt(spec, 'matchConstraints');
  const isOpen = listAt(constraints, 'resourceRules').length === 0;
  return [...resourcesFaults(constraints, field), ...(isOpen ? [required(`${field}.resourceRules`)] : [])];
}

function resourcesFaults(resources: Json, field: string): readonly Cause[] {
  return [
    ...oneOf(`${field}.matchPolicy`, textAt(resources, 'matchPolicy'), ['Equivalent', 'Exact']),
    ...['namespaceSelector', 'objectSelector'].flatMap((name) =>
      labelSelectorFaults(resources[name], `${field}.${name}`),
    ),
    ...['resourceRules', 'excludeResourceRules'].flatMap((name) =>
      listAt(resources, name).flatMap((rule, index) => ruleFaults(rule, `${field}.${name}[${index}]`)),
    ),
  ];
}

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];

function ruleFaults(rule: unknown, field: string): readonly Cause[] {
  const asked = listAt(rule, 'operations').map(String);
  const alone = (name: string, items: readonly unknown[]) =>
    items.length > 1 && items.includes('*')
      ? [invalidValue(`${field}.${name}`, items, "if '*' is present, must not specify other " + wordsFor[name])]
      : [];
  return [
    ...(asked.length === 0 ? [required(`${field}.operations`)] : []),
    ...alone('operations', asked),
    ...asked.flatMap((operation, index) => oneOf(`${field}.operations[${index}]`, operation, operations)),
    ...['apiGroups', 'apiVersions', 'resources'].flatMap((name) => {
      const items = listAt(rule, name);
      if (items.length === 0) return [required(`${field}.${name}`)];
      return name === 'resources' ? [] : alone(name, items);
    }),
    ...oneOf(`${field}.scope`, textAt(rule, 'scope'), ['*', 'Cluster', 'Namespaced']),
  ];
}

const wordsFor: Readonly<Record<string, string>> = {
  operations: 'operations',
  apiGroups: 'API groups',
  apiVersions: 'API versions',
};

function expressionFaults(spec: Json): readonly Cause[] {
  const scope: Scope = { params: isJson(spec['paramKind']), variables: new Map() };
  const scopes = scopesOf(spec, scope);
  const whole = scopes.at(-1) ?? scope;
  const some = ['validations', 'auditAnnotations'];
  const none = some.every((field) => listAt(spec, field).length === 0);
  return [
    ...each(spec, 'matchConditions', (one, at) => [
      ...celFaults(one, `${at}.expression`, whole, 'bool'),
      ...(textAt(one, 'name') === '' ? [required(`${at}.name`)] : []),
    ]),
    ...repeated(spec, 'matchConditions', 'name'),
    ...each(spec, 'variables', (one, at, index) => [
      ...variableNameFaults(textAt(one, 'name'), `${at}.name`),
      ...celFaults(one, `${at}.expression`, scopes[index] ?? scope, 'any'),
    ]),
    ...(none
      ? some.map((field) => required(`spec.${field}`, `${some.join(' or ')} must contain at least one item`))
      : []),
    ...each(spec, 'validations', (one, at) => validationFaults(one, at, whole)),
    ...each(spec, 'auditAnnotations', (one, at) => celFaults(one, `${at}.valueExpression`, whole, 'any')),
    ...repeated(spec, 'auditAnnotations', 'key'),
  ];
}

/** The scopes of the variables of a policy, each with those before it, and behind them that of everything else. */
function scopesOf(spec: Json, scope: Scope): readonly Scope[] {
  const scopes = [scope];
  for (const one of listAt(spec, 'variables')) {
    const before = scopes.at(-1) ?? scope;
    const type = typeOf(textAt(one, 'expression'), before);
    scopes.push({ ...before, variables: new Map([...before.variables, [textAt(one, 'name'), type]]) });
  }
  return scopes;
}

/** A variable that is refused may be anything. */
function typeOf(expression: string, scope: Scope): CelType {
  try {
    return compile(expression, scope, 'any').type;
  } catch (why) {
    if (why instanceof ExpressionError) return dynType;
    throw why;
  }
}

const each = (
  spec: Json,
  field: string,
  faults: (one: unknown, at: string, index: number) => readonly Cause[],
): readonly Cause[] => listAt(spec, field).flatMap((one, index) => faults(one, `spec.${field}[${index}]`, index));

function repeated(spec: Json, field: string, key: string): readonly Cause[] {
  const known = new Set<string>();
  return each(spec, field, (one, at) => {
    const name = textAt(one, key);
    const isKnown = name !== '' && known.has(name);
    known.add(name);
    return isKnown ? [duplicate(`${at}.${key}`, name)] : [];
  });
}

function variableNameFaults(name: string, field: string): readonly Cause[] {
  if (name.trim() === '') return [required(field, 'name is not specified')];
  return /^[A-Za-z_]\w*$/.test(name) ? [] : [invalidValue(field, name, 'name is not a valid CEL identifier')];
}

function validationFaults(validation: unknown, at: string, scope: Scope): readonly Cause[] {
  const message = textAt(validation, 'message');
  const reason = textAt(validation, 'reason');
  return [
    ...celFaults(validation, `${at}.expression`, scope, 'bool'),
    ...(textAt(validation, 'messageExpression') === ''
      ? []
      : celFaults(validation, `${at}.messageExpression`, scope, 'string')),
    ...(/[\n\r]/.test(message.trim())
      ? [invalidValue(`${at}.message`, message, 'message must not contain line breaks')]
      : []),
    ...(message !== '' && message.trim() === ''
      ? [invalidValue(`${at}.message`, message, 'message must be non-empty if specified')]
      : []),
    ...(reason === '' ? [] : oneOf(`${at}.reason`, reason, reasons)),
  ];
}

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge', 'Unauthorized'];

/** What a field that holds an expression says wrong. */
function celFaults(holder: unknown, field: string, scope: Scope, result: 'bool' | 'string' | 'any'): readonly Cause[] {
  const name = field.slice(field.lastIndexOf('.') + 1);
  const text = textAt(holder, name);
  if (text.trim() === '') return [required(field, field.includes('matchConditions') ? '' : `${name} is not specified`)];
  try {
    compile(text, scope, result);
    return [];
  } catch (why) {
    return [invalidValue(field, text, why instanceof Error ? why.message : String(why))];
  }
}

/** What is wrong with a ValidatingAdmissionPolicyBinding. */
function bindingFaults(binding: Json): readonly Cause[] {
  const spec = jsonAt(binding, 'spec');
  const resources = spec['matchResources'];
  return [
    ...(textAt(spec, 'policyName') === '' ? [required('spec.policyName')] : []),
    ...paramRefFaults(spec['paramRef'], 'spec.paramRef'),
    // Spelled as the API spells it.
    ...(isJson(resources) ? resourcesFaults(resources, 'spec.matchResouces') : []),
    ...actionFaults(listAt(spec, 'validationActions').map(String), 'spec.validationActions'),
  ];
}

function paramRefFaults(paramRef: unknown, field: string): readonly Cause[] {
  if (!isJson(paramRef)) return [];
  const [isNamed, isSelected] = [textAt(paramRef, 'name') !== '', isJson(paramRef['selector'])];
  const exclusive = 'name and selector are mutually exclusive';
  const action = textAt(paramRef, 'parameterNotFoundAction');
  return [
    ...(isNamed && isSelected ? ['name', 'selector'].map((one) => forbiddenField(`${field}.${one}`, exclusive)) : []),
    ...labelSelectorFaults(paramRef['selector'], `${field}.selector`),
    ...(isNamed || isSelected ? [] : [required(field, 'one of name or selector must be specified')]),
    ...(action === ''
      ? [required(`${field}.parameterNotFoundAction`)]
      : oneOf(`${field}.parameterNotFoundAction`, action, ['Deny', 'Allow'])),
  ];
}

function actionFaults(actions: readonly string[], field: string): readonly Cause[] {
  const both =
    'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
  const known = new Set<string>();
  return [
    ...actions.flatMap((action, index) => {
      const isKnown = known.has(action);
      known.add(action);
      const at = `${field}[${index}]`;
      return [...oneOf(at, action, ['Audit', 'Deny', 'Warn']), ...(isKnown ? [duplicate(at, action)] : [])];
    }),
    ...(actions.includes('Deny') && actions.includes('Warn') ? [invalidValue(field, actions, both)] : []),
    ...(actions.length === 0 ? [required(field, 'at least one validation action is required')] : []),
  ];
}

/** What the API fills in and refuses of a ValidatingAdmissionPolicy. */
export const admissionPolicy: KindRules = { fill: fillPolicy, faults: policyFaults };

/** What the API fills in and refuses of a ValidatingAdmissionPolicyBinding. */
export const admissionPolicyBinding: KindRules = { fill: fillBinding, faults: bindingFaults };
