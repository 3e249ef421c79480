import type { Call } from '../call.ts';
import { type Json, at, jsonAt, listAt, same, textAt, without } from '../json.ts';
import { forbidden, notFound } from '../status.ts';
import { isMaster } from './caller.ts';
import { compacted, missing, ruleText, wordsText } from './covers.ts';
import { type RoleRef, bucket, rbac } from './policy.ts';
import { type PolicyRule, ruleOf } from './rule.ts';

type Checked = Pick<Call, 'type' | 'caller' | 'namespace'>;

/** Refuses a role or a binding that gives more than its writer has. */
export function checkEscalation(call: Checked, object: Json, old: Json | undefined): void {
  const { bucket: of } = call.type;
  if (isMaster(call.caller)) return;
  if (old && same(ungathered(old), ungathered(object))) return;
  if (of === bucket.roles || of === bucket.clusterRoles) checkRole(call, object, old);
  if (of === bucket.roleBindings || of === bucket.clusterRoleBindings) checkBinding(call, object);
}

/** An object without what the garbage collector changes of it; a label may give its rules to others. */
function ungathered(object: Json): Json {
  const metadata = without(jsonAt(object, 'metadata'), 'ownerReferences', 'finalizers', 'managedFields');
  return { ...object, metadata };
}

const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [], nonResourceURLs: [] },
  { verbs: ['*'], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ['*'] },
];

function checkRole(call: Checked, role: Json, old: Json | undefined): void {
  const name = textAt(role, 'metadata', 'name');
  const aggregates = [role, old].some((one) => at(one, 'aggregationRule') !== undefined);
  if (may(call, 'escalate', { kind: call.type.kind, name })) return;
  confirm(call, name, listAt(role, 'rules').map(ruleOf));
  if (aggregates && missing(held(call), everything).length > 0)
    throw forbidden(call.type, name, 'must have cluster-admin privileges to use an aggregationRule');
}

function checkBinding(call: Checked, binding: Json): void {
  const ref = { kind: textAt(binding, 'roleRef', 'kind'), name: textAt(binding, 'roleRef', 'name') };
  if (may(call, 'bind', ref)) return;
  const rules = call.caller.policy.rulesOfRole(ref, call.namespace);
  if (rules === null) throw notFound({ group: rbac, plural: `${ref.kind.toLowerCase()}s` }, ref.name);
  confirm(call, textAt(binding, 'metadata', 'name'), rules);
}

const held = ({ caller: { user, policy }, namespace }: Checked) => policy.rulesFor(user, namespace);

function may({ caller: { user, policy }, namespace }: Checked, verb: 'bind' | 'escalate', { kind, name }: RoleRef) {
  const asked = { is: 'resource', verb, group: rbac, subresource: '', name, namespace } as const;
  return policy.decide(user, { ...asked, resource: `${kind.toLowerCase()}s` }).allowed;
}

function confirm(call: Checked, name: string, wanted: readonly PolicyRule[]): void {
  const lacking = missing(held(call), wanted);
  if (lacking.length === 0) return;
  const { user } = call.caller;
  const who = `user ${JSON.stringify(user.name)} (groups=${wordsText(user.groups)})`;
  const lines = [...new Set(compacted(lacking).map(ruleText))].toSorted().join('\n');
  const why = `${who} is attempting to grant RBAC permissions not currently held:\n${lines}`;
  throw forbidden(call.type, name, why);
}
