import type { Place, Stored } from '../../../store.ts';
import { type Json, listAt, same, textAt } from '../../json.ts';
import type { ApiStore } from '../../store/store.ts';
import { missing } from '../covers.ts';
import { bucket, rbac } from '../policy.ts';
import { ruleOf, rulesOf } from '../rule.ts';
import { bootstrapBindings } from './bindings.ts';
import { type BootstrapRole, bootstrapRoles } from './roles.ts';

const autoupdate = 'rbac.authorization.kubernetes.io/autoupdate';

/** Creates the roles and bindings that every cluster has, and gives back to them what was taken away. */
export async function ensureBootstrapPolicy(store: ApiStore): Promise<void> {
  await Promise.all([
    ...Object.entries(bootstrapRoles).map(([name, role]) =>
      ensure(store, { bucket: bucket.clusterRoles, namespace: '', name }, roleOf(name, role), withRules),
    ),
    ...Object.entries(bootstrapBindings).map(([name, groups]) =>
      ensure(store, { bucket: bucket.clusterRoleBindings, namespace: '', name }, bindingOf(name, groups), withSubjects),
    ),
  ]);
}

/** Who sets the annotation to `false` keeps what it made of the object. */
async function ensure(store: ApiStore, place: Place, wanted: Json, merge: (old: Stored, wanted: Json) => Stored) {
  const found = store.get(place);
  if (!found) return void (await store.create(place, wanted));
  if (found.metadata.annotations?.[autoupdate] === 'false') return;
  await store.update(place, (old) => merge(old, wanted));
}

/** More than wanted may stay. */
function withRules(old: Stored, wanted: Json): Stored {
  const lacking = missing(rulesOf(old), listAt(wanted, 'rules').map(ruleOf));
  const isComplete = lacking.length === 0 && same(old['aggregationRule'], wanted['aggregationRule']);
  if (isComplete) return old;
  // What was taken away comes back as it was written, not in single permissions.
  const needed = listAt(wanted, 'rules').filter((rule) => missing(rulesOf(old), [ruleOf(rule)]).length > 0);
  return { ...old, ...wanted, metadata: old.metadata, rules: [...listAt(old, 'rules'), ...needed] };
}

function withSubjects(old: Stored, wanted: Json): Stored {
  const kept = listAt(old, 'subjects');
  const key = (subject: unknown) => `${textAt(subject, 'kind')}/${textAt(subject, 'name')}`;
  const known = new Set(kept.map(key));
  const lacking = listAt(wanted, 'subjects').filter((subject) => !known.has(key(subject)));
  return lacking.length === 0 ? old : { ...old, subjects: [...kept, ...lacking] };
}

const metadataOf = (name: string, labels: Readonly<Record<string, string>> = {}) => ({
  name,
  annotations: { [autoupdate]: 'true' },
  labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
});

const roleOf = (name: string, { rules, labels, aggregates }: BootstrapRole): Json => ({
  apiVersion: `${rbac}/v1`,
  kind: 'ClusterRole',
  metadata: metadataOf(name, labels),
  ...(aggregates !== undefined && {
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [aggregates]: 'true' } }] },
  }),
  rules,
});

const bindingOf = (name: string, groups: readonly string[]): Json => ({
  apiVersion: `${rbac}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: metadataOf(name),
  roleRef: { apiGroup: rbac, kind: 'ClusterRole', name },
  subjects: groups.map((group) => ({ apiGroup: rbac, kind: 'Group', name: group })),
});
