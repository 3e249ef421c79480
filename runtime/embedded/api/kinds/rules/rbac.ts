import type { Stored } from '../../../store.ts';
import { type Json, isJson, jsonAt, listAt, same, textAt } from '../../json.ts';
import { invalidObject, notSupported, required } from '../../schema/cause.ts';
import type { Cause } from '../../status.ts';
import type { KindRules } from './rule.ts';

const rbac = 'rbac.authorization.k8s.io';

/** A ClusterRole may leave out its rules: they are empty, or come from others. */
const fillRole = (role: Json): Json => ({ ...role, rules: role['rules'] ?? null });

/** Roles and all subjects but service accounts are of the group of RBAC when none is said. */
function fillBinding(binding: Json): Json {
  const { roleRef, subjects } = binding;
  return {
    ...binding,
    ...(isJson(roleRef) && { roleRef: { ...roleRef, apiGroup: textAt(roleRef, 'apiGroup') || rbac } }),
    ...(Array.isArray(subjects) && { subjects: subjects.map(fillSubject) }),
  };
}

function fillSubject(subject: unknown): unknown {
  const isNamed = ['User', 'Group'].includes(textAt(subject, 'kind')) && textAt(subject, 'apiGroup') === '';
  return isJson(subject) && isNamed ? { ...subject, apiGroup: rbac } : subject;
}

const roleFaults = (role: Json) =>
  listAt(role, 'rules').flatMap((rule, index) => ruleFaults(rule, `rules[${index}]`, true));

const clusterRoleFaults = (role: Json) =>
  listAt(role, 'rules').flatMap((rule, index) => ruleFaults(rule, `rules[${index}]`, false));

/** What is wrong with one rule of a role, which may be one of a namespace. */
function ruleFaults(rule: unknown, path: string, namespaced: boolean): readonly Cause[] {
  const [verbs, groups, resources, names, urls] = (
    ['verbs', 'apiGroups', 'resources', 'resourceNames', 'nonResourceURLs'] as const
  ).map((field) => listAt(rule, field));
  const isEmpty = (list: readonly unknown[] | undefined) => (list ?? []).length === 0;
  const verbless = isEmpty(verbs) ? [required(`${path}.verbs`, 'verbs must contain at least one value')] : [];
  if (urls && !isEmpty(urls)) {
    const refuse = (why: string) => invalidObject(`${path}.nonResourceURLs`, urls, why);
    const isMixed = !isEmpty(groups) || !isEmpty(resources) || !isEmpty(names);
    return [
      ...verbless,
      ...(namespaced ? [refuse('namespaced rules cannot apply to non-resource URLs')] : []),
      ...(isMixed ? [refuse('rules cannot apply to both regular resources and non-resource URLs')] : []),
    ];
  }
  return [
    ...verbless,
    ...(isEmpty(groups) ? [required(`${path}.apiGroups`, 'resource rules must supply at least one api group')] : []),
    ...(isEmpty(resources) ? [required(`${path}.resources`, 'resource rules must supply at least one resource')] : []),
  ];
}

/** What is wrong with a RoleBinding or a ClusterRoleBinding. */
function bindingFaults(binding: Json, old: Stored | undefined): readonly Cause[] {
  const namespaced = textAt(binding, 'kind') === 'RoleBinding';
  const ref = jsonAt(binding, 'roleRef');
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  const kind = textAt(ref, 'kind');
  const isOther = old !== undefined && !same(old['roleRef'], binding['roleRef']);
  return [
    ...groupFaults('roleRef.apiGroup', textAt(ref, 'apiGroup'), rbac),
    ...(kinds.includes(kind) ? [] : [notSupported('roleRef.kind', kind, kinds)]),
    ...(textAt(ref, 'name') === '' ? [required('roleRef.name')] : []),
    ...listAt(binding, 'subjects').flatMap((one, index) => subjectFaults(one, `subjects[${index}]`, namespaced)),
    ...(isOther ? [invalidObject('roleRef', shownRef(ref), 'cannot change roleRef')] : []),
  ];
}

const subjectKinds = ['ServiceAccount', 'User', 'Group'];

function subjectFaults(subject: unknown, path: string, namespaced: boolean): readonly Cause[] {
  const kind = textAt(subject, 'kind');
  const nameless = textAt(subject, 'name') === '' ? [required(`${path}.name`)] : [];
  if (!subjectKinds.includes(kind)) return [...nameless, notSupported(`${path}.kind`, kind, subjectKinds)];
  const isAccount = kind === 'ServiceAccount';
  const homeless = isAccount && !namespaced && textAt(subject, 'namespace') === '';
  return [
    ...nameless,
    ...groupFaults(`${path}.apiGroup`, textAt(subject, 'apiGroup'), isAccount ? '' : rbac),
    ...(homeless ? [required(`${path}.namespace`)] : []),
  ];
}

const groupFaults = (field: string, found: string, wanted: string) =>
  found === wanted ? [] : [notSupported(field, found, [wanted])];

/** A reference by the names that its fields have inside the API server. */
const shownRef = (ref: Json) => ({
  APIGroup: textAt(ref, 'apiGroup'),
  Kind: textAt(ref, 'kind'),
  Name: textAt(ref, 'name'),
});

export const role: KindRules = { faults: roleFaults };
export const clusterRole: KindRules = { fill: fillRole, faults: clusterRoleFaults };
export const binding: KindRules = { fill: fillBinding, faults: bindingFaults };
