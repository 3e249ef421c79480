import { type User, accountUserName, group as wellKnown } from '../authentication/user.ts';
import type { Bucket, Change, Stored } from '../../store.ts';
import { listAt, textAt } from '../json.ts';
import type { ApiStore } from '../store/store.ts';
import type { Attributes } from './attributes.ts';
import { type PolicyRule, allows, rulesOf } from './rule.ts';

export const rbac = 'rbac.authorization.k8s.io';
export const bucket = {
  roles: `${rbac}/roles`,
  clusterRoles: `${rbac}/clusterroles`,
  roleBindings: `${rbac}/rolebindings`,
  clusterRoleBindings: `${rbac}/clusterrolebindings`,
} as const;

/** Yes or no, and by what; the reason may be empty. */
export interface Decision {
  readonly allowed: boolean;
  readonly reason: string;
}

export interface RoleRef {
  readonly kind: string;
  readonly name: string;
}

/** What the roles and bindings of the store come to. */
export interface Policy {
  readonly decide: (user: User, asked: Attributes) => Decision;
  /** Everything that a user may do in a namespace, or in the cluster when it is empty. */
  readonly rulesFor: (user: User, namespace: string) => readonly PolicyRule[];
  /** The rules of the role that a binding names; null where there is none. */
  readonly rulesOfRole: (ref: RoleRef, namespace: string) => readonly PolicyRule[] | null;
  readonly stop: () => void;
}

interface Grant {
  /** The uid of the binding. */
  readonly by: string;
  readonly role: RoleRef;
  readonly says: string;
}

/** The grants of one namespace, or of the cluster: by subject, then by the uid of the binding. */
type Scope = Map<string, Map<string, Grant>>;

const bindings: readonly Bucket[] = [bucket.roleBindings, bucket.clusterRoleBindings];

/** Keeps the bindings by their subjects, so that a decision looks only at those that concern the user. */
export function createPolicy(store: ApiStore): Policy {
  const scopes = new Map<string, Scope>();

  for (const name of bindings) store.list(name).forEach(add);
  const stop = store.onChange(hear);

  function hear({ type, bucket: of, object, previous }: Change) {
    if (!bindings.includes(of)) return;
    if (previous) drop(previous);
    if (type !== 'DELETED') add(object);
  }

  function add(binding: Stored) {
    const { namespace = '', uid } = binding.metadata;
    const scope = scopes.get(namespace) ?? new Map<string, Map<string, Grant>>();
    scopes.set(namespace, scope);
    for (const subject of listAt(binding, 'subjects')) {
      const key = keyOf(subject, namespace);
      if (key === null) continue;
      const grants = scope.get(key) ?? new Map<string, Grant>();
      if (!grants.has(uid)) scope.set(key, grants.set(uid, grantOf(binding, subject)));
    }
  }

  function drop(binding: Stored) {
    const { namespace = '', uid } = binding.metadata;
    const scope = scopes.get(namespace);
    for (const subject of listAt(binding, 'subjects')) {
      const key = keyOf(subject, namespace) ?? '';
      const grants = scope?.get(key);
      grants?.delete(uid);
      if (grants?.size === 0) scope?.delete(key);
    }
    if (scope?.size === 0) scopes.delete(namespace);
  }

  function* grantsTo({ name, groups }: User, namespace: string): Iterable<readonly [Grant, string]> {
    for (const at of namespace === '' ? [''] : ['', namespace]) {
      const scope = scopes.get(at);
      if (!scope) continue;
      for (const grant of scope.get(`User/${name}`)?.values() ?? []) yield [grant, at];
      for (const group of groups) for (const grant of scope.get(`Group/${group}`)?.values() ?? []) yield [grant, at];
    }
  }

  function rulesOfRole({ kind, name }: RoleRef, namespace: string): readonly PolicyRule[] | null {
    const isRole = kind === 'Role';
    const place = { bucket: isRole ? bucket.roles : bucket.clusterRoles, namespace: isRole ? namespace : '', name };
    const role = store.get(place);
    return role ? rulesOf(role) : null;
  }

  function decide(user: User, asked: Attributes): Decision {
    if (user.groups.includes(wellKnown.masters)) return { allowed: true, reason: '' };
    const missing = new Set<string>();
    for (const [{ role, says }, at] of grantsTo(user, asked.is === 'path' ? '' : asked.namespace)) {
      const rules = rulesOfRole(role, at);
      if (rules === null) missing.add(`${role.kind.toLowerCase()}.${rbac} ${JSON.stringify(role.name)} not found`);
      else if (rules.some((rule) => allows(rule, asked))) return { allowed: true, reason: `RBAC: allowed by ${says}` };
    }
    const texts = [...missing];
    if (texts.length === 0) return { allowed: false, reason: '' };
    return { allowed: false, reason: `RBAC: ${texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`}` };
  }

  /** A binding may reach a user by its name and by several groups: it counts once. */
  function rulesFor(user: User, namespace: string): readonly PolicyRule[] {
    const once = new Map([...grantsTo(user, namespace)].map((grant) => [grant[0].by, grant]));
    return [...once.values()].flatMap(([{ role }, at]) => rulesOfRole(role, at) ?? []);
  }

  return { decide, rulesFor, rulesOfRole, stop };
}

/** Under what a subject is found; null for one that is nobody. */
function keyOf(subject: unknown, bindingNamespace: string): string | null {
  const kind = textAt(subject, 'kind');
  const name = textAt(subject, 'name');
  if (kind !== 'ServiceAccount') return kind === 'User' || kind === 'Group' ? `${kind}/${name}` : null;
  const namespace = textAt(subject, 'namespace') || bindingNamespace;
  return namespace === '' ? null : `User/${accountUserName(namespace, name)}`;
}

function grantOf(binding: Stored, subject: unknown): Grant {
  const { name, namespace, uid: by } = binding.metadata;
  const role = { kind: textAt(binding, 'roleRef', 'kind'), name: textAt(binding, 'roleRef', 'name') };
  const own = namespace === undefined ? name : `${name}/${namespace}`;
  const kind = namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding';
  const says = `${kind} ${JSON.stringify(own)} of ${role.kind} ${JSON.stringify(role.name)} to ${subjectText(subject, namespace ?? '')}`;
  return { by, role, says };
}

function subjectText(subject: unknown, bindingNamespace: string): string {
  const kind = textAt(subject, 'kind');
  const name = textAt(subject, 'name');
  const whole = kind === 'ServiceAccount' ? `${name}/${textAt(subject, 'namespace') || bindingNamespace}` : name;
  return `${kind} ${JSON.stringify(whole)}`;
}
