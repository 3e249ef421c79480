import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { logLine } from '../../../runtime/services/log.ts';
import type { User } from '../../../runtime/embedded/api/authentication/user.ts';
import type { Attributes } from '../../../runtime/embedded/api/authorization/attributes.ts';
import { missing } from '../../../runtime/embedded/api/authorization/covers.ts';
import { createPolicy } from '../../../runtime/embedded/api/authorization/policy.ts';
import type { PolicyRule } from '../../../runtime/embedded/api/authorization/rule.ts';
import { type ApiStore, createStore } from '../../../runtime/embedded/api/store/store.ts';
import { suite } from '../../support/suite.ts';

const inMemory = () =>
  createStore({ revision: 0, load: () => [], write: async () => {}, close: async () => {} }, logLine);
const group = 'rbac.authorization.k8s.io';

type Step =
  | { readonly does: 'role'; readonly at: string; readonly name: string; readonly rules: readonly PolicyRule[] }
  | { readonly does: 'bind'; readonly at: string; readonly name: string; readonly to: Ref; readonly subjects: Subjects }
  | { readonly does: 'drop'; readonly what: 'role' | 'bind'; readonly at: string; readonly name: string };
interface Ref {
  readonly kind: 'Role' | 'ClusterRole';
  readonly name: string;
}
type Subjects = readonly { readonly kind: string; readonly name: string; readonly namespace?: string }[];

const some = (...words: readonly string[]) => fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 2 });
const rare = <T>(arbitrary: fc.Arbitrary<readonly T[]>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary });
const rule: fc.Arbitrary<PolicyRule> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      verbs: some('get', 'list', 'update', '*'),
      apiGroups: some('', 'apps', '*'),
      resources: some('pods', 'pods/log', 'jobs', '*/log', '*'),
      resourceNames: rare(some('a', 'b')),
      nonResourceURLs: fc.constant([]),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      verbs: some('get', 'post', '*'),
      apiGroups: fc.constant([]),
      resources: fc.constant([]),
      resourceNames: fc.constant([]),
      nonResourceURLs: some('/logs', '/logs/*', '/log*', '*'),
    }),
  },
);
/** Empty: of the cluster. */
const at = fc.constantFrom('', 'n', 'm');
const name = fc.constantFrom('x', 'y', 'z');
const subject = fc.oneof(
  fc.record({
    kind: fc.constantFrom('User', 'Group'),
    name: fc.constantFrom('u', 'v', 'g', 'system:serviceaccount:n:s'),
  }),
  fc.record({ kind: fc.constant('ServiceAccount'), name: fc.constantFrom('s', 't') }),
  fc.record({ kind: fc.constant('ServiceAccount'), name: fc.constant('s'), namespace: fc.constantFrom('n', 'm') }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constant('role' as const), at, name, rules: fc.array(rule, { maxLength: 3 }) }),
  fc.record({
    does: fc.constant('bind' as const),
    at,
    name,
    to: fc.record({ kind: fc.constantFrom('Role' as const, 'ClusterRole' as const), name }),
    subjects: fc.array(subject, { maxLength: 3 }),
  }),
  fc.record({ does: fc.constant('drop' as const), what: fc.constantFrom('role' as const, 'bind' as const), at, name }),
);

const placeOf = ({ at: namespace, name: own }: Step, what: 'role' | 'bind') => ({
  bucket: `${group}/${namespace === '' ? 'cluster' : ''}${what === 'role' ? 'roles' : 'rolebindings'}`,
  namespace,
  name: own,
});

async function take(store: ApiStore, one: Step): Promise<void> {
  const place = placeOf(one, one.does === 'drop' ? one.what : one.does);
  const there = store.get(place) !== undefined;
  if (one.does === 'drop') return there ? void (await store.remove(place)) : undefined;
  const content = one.does === 'role' ? { rules: one.rules } : { roleRef: one.to, subjects: one.subjects };
  if (there) await store.update(place, (old) => ({ ...old, ...content }));
  else await store.create(place, content);
}

/** The roles and bindings that are left, remembered by the spec alone. */
type Left = ReadonlyMap<string, Step>;
const keyOf = (what: string, where: string, own: string) => `${what} ${where} ${own}`;

function left(steps: readonly Step[]): Left {
  const found = new Map<string, Step>();
  for (const one of steps)
    if (one.does === 'drop') found.delete(keyOf(one.what, one.at, one.name));
    else found.set(keyOf(one.does, one.at, one.name), one);
  return found;
}

/** The question answered by a look at every binding there is. */
function naive(steps: Left, user: User, asked: Attributes): boolean {
  const namespace = asked.is === 'path' ? '' : asked.namespace;
  return [...steps.values()].some((binding) => {
    if (binding.does !== 'bind' || (binding.at !== '' && binding.at !== namespace)) return false;
    if (!binding.subjects.some((one) => isMeant(user, one, binding.at))) return false;
    const where = binding.to.kind === 'Role' ? binding.at : '';
    if (binding.to.kind === 'Role' && binding.at === '') return false;
    const role = steps.get(keyOf('role', where, binding.to.name));
    return role?.does === 'role' && role.rules.some((one) => permits(one, asked));
  });
}

function isMeant(user: User, one: Subjects[number], where: string): boolean {
  if (one.kind === 'User') return one.name === user.name;
  if (one.kind === 'Group') return user.groups.includes(one.name);
  const home = one.namespace ?? where;
  return home !== '' && user.name === `system:serviceaccount:${home}:${one.name}`;
}

const has = (list: readonly string[], word: string) => list.some((one) => one === '*' || one === word);

function permits(one: PolicyRule, asked: Attributes): boolean {
  if (!has(one.verbs, asked.verb)) return false;
  if (asked.is === 'path')
    return one.nonResourceURLs.some((url) =>
      url.endsWith('*') ? asked.path.startsWith(url.slice(0, -1)) : url === asked.path,
    );
  const whole = asked.subresource === '' ? asked.resource : `${asked.resource}/${asked.subresource}`;
  const isResource = has(one.resources, whole) || (asked.subresource === 'log' && one.resources.includes('*/log'));
  const isName = one.resourceNames.length === 0 || one.resourceNames.includes(asked.name);
  return has(one.apiGroups, asked.group) && isResource && isName;
}

const users: readonly User[] = [
  { name: 'u', groups: ['g', 'system:authenticated'] },
  { name: 'v', groups: [] },
  { name: 'system:serviceaccount:n:s', groups: [] },
  { name: 'system:serviceaccount:m:s', groups: ['g'] },
];
const product = (verbs: readonly string[]): readonly Attributes[] =>
  verbs.flatMap((verb) => [
    ...['', 'n', 'm'].flatMap((namespace) =>
      ['', 'apps'].flatMap((of) =>
        ['pods', 'jobs'].flatMap((resource) =>
          ['', 'log', 'status'].flatMap((subresource) =>
            ['', 'a', 'c'].map((own) => ({
              is: 'resource' as const,
              verb,
              group: of,
              resource,
              subresource,
              namespace,
              name: own,
            })),
          ),
        ),
      ),
    ),
    ...['/logs', '/logs/x', '/login', '/'].map((path) => ({ is: 'path' as const, verb, path })),
  ]);
const questions = product(['get', 'update', 'watch']);

const spec = suite('policy');

spec('a decision by the index equals that by all bindings after any changes', async () => {
  const seen = { yes: 0, no: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const store = inMemory();
      const policy = createPolicy(store);
      for (const one of steps) await take(store, one);
      const late = createPolicy(store);
      const there = left(steps);
      for (const user of users)
        for (const asked of questions) {
          const wanted = naive(there, user, asked);
          seen[wanted ? 'yes' : 'no']++;
          assert.is(policy.decide(user, asked).allowed, wanted, `${user.name} ${JSON.stringify(asked)}`);
          assert.is(late.decide(user, asked).allowed, wanted, 'from a store that was there before');
        }
    }),
    { numRuns: 60 },
  );
  assert.ok(seen.yes > 500 && seen.no > 500, JSON.stringify(seen));
});

spec('rules allow everything that other rules allow when they lack none of them', () => {
  let covered = 0;
  const rules = fc.array(rule, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(rules, rules, (held, wanted) => {
      const lacking = missing(held, wanted);
      if (lacking.length === 0) covered++;
      for (const asked of questions) {
        const isWanted = wanted.some((one) => permits(one, asked));
        const isHeld = held.some((one) => permits(one, asked));
        const isLacking = lacking.some((one) => permits(one, asked));
        assert.ok(!isWanted || isHeld || isLacking, JSON.stringify(asked));
      }
      assert.equal(missing([...held, ...wanted], wanted), []);
    }),
    { numRuns: 400 },
  );
  assert.ok(covered > 5, `only ${covered} were covered`);
});

spec.run();
