import * as assert from 'uvu/assert';
import { at, listAt, textAt, type Json } from '../../../runtime/embedded/api/json.ts';
import { suite } from '../../support/suite.ts';
import { eventually, type Reply, type Started, started } from './started.ts';

const spec = suite<{ api: Started }>('authorization');
spec.before(async (context) => {
  const api = await started();
  context.api = api;
  for (const name of ['shop', 'other']) await api.send('POST', '/api/v1/namespaces', { body: { metadata: { name } } });
  for (const role of ['view', 'edit', 'admin']) await bind(api, role, { kind: 'ClusterRole', name: role });
});
spec.after(({ api }) => api.end());

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const shop = '/api/v1/namespaces/shop';
const roles = `${rbac}/namespaces/shop/roles`;
const bindings = `${rbac}/namespaces/shop/rolebindings`;
const told = ({ code, body }: Reply) => `${code} ${textAt(body, 'message')}`;
const as = (user: string, ...groups: readonly string[]) => ({
  headers: { 'Impersonate-User': user, ...(groups.length > 0 && { 'Impersonate-Group': groups.join(', ') }) },
});

const bind = (api: Started, user: string, roleRef: Json, name = user) =>
  api.send('POST', bindings, { body: { metadata: { name }, roleRef, subjects: [{ kind: 'User', name: user }] } });
const allowRole = (api: Started, name: string, rules: readonly Json[], sent = {}) =>
  api.send('POST', roles, { body: { metadata: { name }, rules }, ...sent });

/** What the roles that every cluster has allow in the namespace that they are bound in: yes or no, by verb. */
const matrix: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
  // role, resource, and of the verbs: get list watch create update patch delete deletecollection
  ['view', 'configmaps', { yes: 'get list watch', no: 'create update patch delete deletecollection' }],
  ['view', 'pods/log', { yes: 'get', no: 'create' }],
  ['view', 'secrets', { yes: '', no: 'get list watch create update patch delete deletecollection' }],
  ['view', 'roles', { yes: '', no: 'get list create' }],
  ['edit', 'secrets', { yes: 'get list watch create update patch delete deletecollection', no: 'impersonate' }],
  ['edit', 'pods/exec', { yes: 'get create', no: '' }],
  ['edit', 'serviceaccounts', { yes: 'get impersonate delete', no: 'escalate' }],
  ['edit', 'rolebindings', { yes: '', no: 'get create' }],
  ['edit', 'namespaces', { yes: 'get', no: 'create delete' }],
  ['admin', 'roles', { yes: 'get create delete deletecollection', no: 'escalate bind' }],
  ['admin', 'configmaps', { yes: 'get create', no: 'approve' }],
  ['admin', 'limitranges', { yes: 'get', no: 'create' }],
];
const groupOf: Readonly<Record<string, string>> = {
  roles: 'rbac.authorization.k8s.io',
  rolebindings: 'rbac.authorization.k8s.io',
};

spec('view, edit and admin grant their rights in their namespace only', async ({ api }) => {
  const ask = async (user: string, attributes: Json) => {
    const body = { spec: { user, resourceAttributes: attributes } };
    const review = await api.send('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', { body });
    return at(review.body, 'status', 'allowed');
  };
  for (const [user, what, answers] of matrix) {
    const [resource = '', subresource = ''] = what.split('/');
    const asked = { group: groupOf[resource] ?? '', resource, subresource };
    for (const [answer, verbs] of Object.entries(answers))
      for (const verb of verbs.split(' ').filter((one) => one !== '')) {
        const wanted = answer === 'yes';
        assert.is(await ask(user, { ...asked, verb, namespace: 'shop' }), wanted, `${user} ${verb} ${what}`);
        assert.is(await ask(user, { ...asked, verb, namespace: 'other' }), false, `${user} ${verb} ${what} elsewhere`);
        assert.is(await ask(user, { ...asked, verb }), false, `${user} ${verb} ${what} everywhere`);
      }
  }
});

spec('forbidden requests are refused in the words of the API', async ({ api }) => {
  const get = async (path: string, sent = as('x')) => told(await api.send('GET', path, sent));
  assert.is(
    await get(`${shop}/pods`),
    '403 pods is forbidden: User "x" cannot list resource "pods" in API group "" in the namespace "shop"',
  );
  assert.is(
    await get('/apis/batch/v1/namespaces/shop/jobs/j/status'),
    '403 jobs.batch "j" is forbidden: User "x" cannot get resource "jobs/status" in API group "batch" in the namespace "shop"',
  );
  assert.is(
    await get('/api/v1/nodes?watch=1'),
    '403 nodes is forbidden: User "x" cannot watch resource "nodes" in API group "" at the cluster scope',
  );
  assert.is(await get('/logs'), '403 forbidden: User "x" cannot get path "/logs"');
  const all = await api.send('DELETE', `${shop}/pods`, as('x'));
  assert.match(told(all), /^403 pods is forbidden: User "x" cannot deletecollection resource "pods"/);
  assert.match(await get('/apis/no.such/v1/things'), /^403 things.no.such is forbidden: User "x" cannot list/);
  assert.is((await api.send('GET', `${shop}/pods`, as('view'))).code, 200);
  assert.is((await api.send('GET', '/apis', as('x'))).code, 200);
});

spec('rules are limited to their names, subresources and wildcards', async ({ api }) => {
  await allowRole(api, 'named', [
    { apiGroups: [''], resources: ['configmaps'], resourceNames: ['mine'], verbs: ['get', 'list', 'update'] },
    { apiGroups: ['*'], resources: ['*/status'], verbs: ['*'] },
  ]);
  await bind(api, 'named', { kind: 'Role', name: 'named' });
  const code = async (path: string) => (await api.send('GET', path, as('named'))).code;
  assert.is(await code(`${shop}/configmaps/mine`), 404);
  assert.is(await code(`${shop}/configmaps/yours`), 403);
  assert.is(await code(`${shop}/configmaps`), 403);
  assert.is(await code(`${shop}/configmaps?fieldSelector=metadata.name%3Dmine`), 200);
  assert.is(await code(`${shop}/pods/x/status`), 404);
  assert.is(await code(`${shop}/pods/x`), 403);
});

spec(
  'a binding by user, group or account takes effect when it is written and ends when it is deleted',
  async ({ api }) => {
    const subjects = [
      { kind: 'Group', name: 'team' },
      { kind: 'ServiceAccount', name: 'robot' },
    ];
    const list = async (sent: object) => (await api.send('GET', `${shop}/pods`, sent)).code;
    const everyone = [as('anna', 'team'), as('system:serviceaccount:shop:robot')];
    for (const sent of everyone) assert.is(await list(sent), 403);
    await api.send('POST', bindings, {
      body: { metadata: { name: 'team' }, roleRef: { kind: 'ClusterRole', name: 'view' }, subjects },
    });
    for (const sent of everyone) assert.is(await list(sent), 200);
    assert.is(await list(as('system:serviceaccount:other:robot')), 403);
    const change = { body: { subjects: subjects.slice(1) }, type: 'application/merge-patch+json' };
    await api.send('PATCH', `${bindings}/team`, change);
    assert.equal([await list(as('anna', 'team')), await list(as('system:serviceaccount:shop:robot'))], [403, 200]);
    await api.send('DELETE', `${bindings}/team`);
    assert.is(await list(as('system:serviceaccount:shop:robot')), 403);
  },
);

spec('a refusal names the missing role of a binding', async ({ api }) => {
  await bind(api, 'lost', { kind: 'ClusterRole', name: 'nowhere' });
  assert.match(
    told(await api.send('GET', `${shop}/pods`, as('lost'))),
    /in the namespace "shop": RBAC: clusterrole\.rbac\.authorization\.k8s\.io "nowhere" not found$/,
  );
});

spec('a user cannot grant more than their own rights without escalate or bind', async ({ api }) => {
  const secrets = { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list'] };
  const refused = await allowRole(api, 'more', [secrets], as('admin'));
  assert.is(
    told(refused),
    '403 roles.rbac.authorization.k8s.io "more" is forbidden: user "admin" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["nodes"], Verbs:["get" "list"]}',
  );
  const own = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
  assert.is((await allowRole(api, 'less', [own], as('admin'))).code, 201);
  const widen = { body: { rules: [own, secrets] }, type: 'application/merge-patch+json', ...as('admin') };
  assert.is((await api.send('PATCH', `${roles}/less`, widen)).code, 403);
  const label = { body: { metadata: { labels: { a: 'b' } } }, type: 'application/merge-patch+json', ...as('admin') };
  assert.is((await api.send('PATCH', `${roles}/less`, label)).code, 200);

  const bound = (name: string, role: string) =>
    api.send('POST', bindings, {
      body: { metadata: { name }, roleRef: { kind: 'ClusterRole', name: role }, subjects: [] },
      ...as('admin'),
    });
  assert.match(told(await bound('up', 'cluster-admin')), /\{NonResourceURLs:\["\*"\], Verbs:\["\*"\]\}$/);
  assert.is((await bound('same', 'edit')).code, 201);
  assert.is(told(await bound('none', 'nowhere')), '404 clusterroles.rbac.authorization.k8s.io "nowhere" not found');

  const group = ['rbac.authorization.k8s.io'];
  await allowRole(api, 'let', [
    { apiGroups: group, resources: ['clusterroles'], resourceNames: ['cluster-admin'], verbs: ['bind'] },
    { apiGroups: group, resources: ['roles'], resourceNames: ['more'], verbs: ['escalate'] },
  ]);
  await bind(api, 'admin', { kind: 'Role', name: 'let' }, 'let');
  assert.is((await bound('up', 'cluster-admin')).code, 201);
  assert.is((await allowRole(api, 'more', [secrets], as('admin'))).code, 201);
  assert.is((await allowRole(api, 'evenmore', [secrets], as('zoe'))).code, 403);
});

spec('a user cannot change a role or binding with more rights, except as garbage collection does', async ({ api }) => {
  const nodes = { apiGroups: [''], resources: ['nodes'], verbs: ['delete'] };
  await allowRole(api, 'strong', [nodes]);
  await bind(api, 'ann', { kind: 'Role', name: 'strong' });
  const type = 'application/merge-patch+json';
  const change = (path: string, metadata: Json) =>
    api.send('PATCH', path, { body: { metadata }, type, ...as('admin') });
  for (const path of [`${roles}/strong`, `${bindings}/ann`]) {
    assert.match(told(await change(path, { labels: { a: 'b' } })), /^403 .*permissions not currently held/);
    assert.is((await change(path, { finalizers: ['test/hold'] })).code, 200);
    assert.is((await change(path, { finalizers: null })).code, 200);
  }
});

spec('impersonation needs a permission for every user, group and extra field', async ({ api }) => {
  await api.send('POST', '/api/v1/namespaces/shop/serviceaccounts', { body: { metadata: { name: 'actor' } } });
  const request = await api.send('POST', `${shop}/serviceaccounts/actor/token`, { body: {} });
  const token = textAt(request.body, 'status', 'token');
  const list = async (headers: Readonly<Record<string, string>>) =>
    told(await api.send('GET', `${shop}/pods`, { token, headers }));
  const refusal = (what: string) =>
    `403 ${what} in API group "" at the cluster scope`.replace(
      '{}',
      'is forbidden: User "system:serviceaccount:shop:actor" cannot impersonate resource',
    );
  assert.is(
    await list({ 'Impersonate-User': 'view' }),
    '403 pods is forbidden: User "system:serviceaccount:shop:actor" cannot impersonate-on:user-info:list resource "pods" in API group "" in the namespace "shop"',
  );
  const body = {
    metadata: { name: 'actor' },
    rules: [{ apiGroups: [''], resources: ['users'], resourceNames: ['view'], verbs: ['impersonate'] }],
  };
  await api.send('POST', `${rbac}/clusterroles`, { body });
  await api.send('POST', `${rbac}/clusterrolebindings`, {
    body: {
      metadata: { name: 'actor' },
      roleRef: { kind: 'ClusterRole', name: 'actor' },
      subjects: [{ kind: 'ServiceAccount', name: 'actor', namespace: 'shop' }],
    },
  });
  assert.match(await list({ 'Impersonate-User': 'view' }), /^200/);
  assert.is(await list({ 'Impersonate-User': 'edit' }), refusal('users "edit" {} "users"'));
  assert.is(
    await list({ 'Impersonate-User': 'view', 'Impersonate-Group': 'system:masters' }),
    refusal('groups "system:masters" {} "groups"'),
  );
  assert.is(
    await list({ 'Impersonate-Group': 'view' }),
    '400 requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"view"}, Extra:map[string][]string(nil)} without impersonating a user name',
  );
});

spec('an aggregated role has the rules of the roles that it currently selects', async ({ api }) => {
  const post = (body: Json) => api.send('POST', `${rbac}/clusterroles`, { body });
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { into: 'sum' } }] };
  await post({ metadata: { name: 'sum' }, aggregationRule });
  const rules = async () => listAt((await api.send('GET', `${rbac}/clusterroles/sum`)).body, 'rules').length;
  const rule = (resource: string) => [{ apiGroups: [''], resources: [resource], verbs: ['get'] }];
  await post({ metadata: { name: 'a', labels: { into: 'sum' } }, rules: rule('pods') });
  await post({ metadata: { name: 'b', labels: { into: 'sum' } }, rules: rule('nodes') });
  await eventually(async () => (await rules()) === 2, 'both are in it');
  await api.send('DELETE', `${rbac}/clusterroles/a`);
  await eventually(async () => (await rules()) === 1, 'one is left');
});

spec('removed rules of default roles are restored at the start, unless auto-update is disabled', async ({ api }) => {
  const at403 = (name: string) => `${rbac}/clusterroles/${name}`;
  const patch = (path: string, body: Json) => api.send('PATCH', path, { body, type: 'application/merge-patch+json' });
  await patch(at403('system:discovery'), { rules: [] });
  const annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'false' };
  await patch(at403('system:basic-user'), { rules: [], metadata: { annotations } });
  await api.send('DELETE', at403('view'));
  await api.stop();
  const again = await started({ dataDir: api.dataDir });
  try {
    const rules = async (name: string) => listAt((await again.send('GET', at403(name))).body, 'rules').length;
    assert.ok((await rules('system:discovery')) > 0);
    assert.is(await rules('system:basic-user'), 0);
    assert.ok((await rules('view')) > 0);
  } finally {
    await again.end();
  }
});

spec.run();
