import type { Stored } from '../../store.ts';
import { at, isJson, jsonAt, listAt, textAt } from '../json.ts';
import { aged, number, text, wide } from './cell.ts';
import { type Column, nameColumn } from './column.ts';

const webhooks: readonly Column[] = [nameColumn, number('Webhooks', (one) => listAt(one, 'webhooks').length), aged];

const roleOf = (binding: Stored) => `${textAt(binding, 'roleRef', 'kind')}/${textAt(binding, 'roleRef', 'name')}`;

const subjects = (binding: Stored, kind: string) =>
  listAt(binding, 'subjects').filter((one) => textAt(one, 'kind') === kind);

const names = (kind: string) => (binding: Stored) =>
  subjects(binding, kind)
    .map((one) => textAt(one, 'name'))
    .join(', ');

const bindings: readonly Column[] = [
  nameColumn,
  text('Role', roleOf),
  aged,
  wide('Users', names('User')),
  wide('Groups', names('Group')),
  wide('ServiceAccounts', (binding) =>
    subjects(binding, 'ServiceAccount')
      .map((one) => `${textAt(one, 'namespace')}/${textAt(one, 'name')}`)
      .join(', '),
  ),
];

const unset = '<unset>';

/** What a ValidatingAdmissionPolicy takes for parameters. */
function paramKind(policy: Stored): string {
  const kind = at(policy, 'spec', 'paramKind');
  return isJson(kind) ? `${textAt(kind, 'apiVersion')}/${textAt(kind, 'kind')}` : unset;
}

/** Which parameters a ValidatingAdmissionPolicyBinding gives. */
function paramRef(binding: Stored): string {
  const ref = jsonAt(binding, 'spec', 'paramRef');
  const name = textAt(ref, 'name');
  if (name !== '') return `${textAt(ref, 'namespace') || '*'}/${name}`;
  return isJson(ref['selector']) ? selectorText(ref['selector']) : unset;
}

/** A selector as the API prints it: the way Go shows the structure. */
function selectorText(selector: unknown): string {
  const labels = Object.entries(jsonAt(selector, 'matchLabels')).sort(([a], [b]) => (a < b ? -1 : 1));
  const requirements = listAt(selector, 'matchExpressions').map(
    (one) =>
      `LabelSelectorRequirement{Key:${textAt(one, 'key')},Operator:${textAt(one, 'operator')},Values:[${listAt(one, 'values').join(' ')}],},`,
  );
  const map = labels.map(([key, value]) => `${key}: ${String(value)},`).join('');
  return `&LabelSelector{MatchLabels:map[string]string{${map}},MatchExpressions:[]LabelSelectorRequirement{${requirements.join('')}},}`;
}

/** The columns of the kinds that say who may do what. */
export const admissionColumns: Readonly<Record<string, readonly Column[]>> = {
  MutatingWebhookConfiguration: webhooks,
  ValidatingWebhookConfiguration: webhooks,
  ValidatingAdmissionPolicy: [
    nameColumn,
    number('Validations', (policy) => listAt(policy, 'spec', 'validations').length),
    text('ParamKind', paramKind),
    aged,
  ],
  ValidatingAdmissionPolicyBinding: [
    nameColumn,
    text('PolicyName', (binding) => textAt(binding, 'spec', 'policyName')),
    text('ParamRef', paramRef),
    aged,
  ],
  RoleBinding: bindings,
  ClusterRoleBinding: bindings,
};
