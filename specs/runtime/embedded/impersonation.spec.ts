import * as assert from 'uvu/assert';
import { type Json, textAt } from '../../../runtime/embedded/api/json.ts';
import { suite } from '../../support/suite.ts';
import { type Reply, type Started, started } from './started.ts';

const spec = suite<{ api: Started }>('constrained impersonation');
spec.before(async (context) => {
  context.api = await started();
});
spec.after(({ api }) => api.end());

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const outside = 'authentication.k8s.io';
const pods = '/api/v1/namespaces/default/pods';
const told = ({ code, body }: Reply) => `${code} ${textAt(body, 'message')}`;

/** A service account with these rules, as which a request can be sent. */
async function actor(api: Started, name: string, rules: readonly Json[]) {
  await api.send('POST', '/api/v1/namespaces/default/serviceaccounts', { body: { metadata: { name } } });
  await api.send('POST', `${rbac}/clusterroles`, { body: { metadata: { name }, rules } });
  const subjects = [{ kind: 'ServiceAccount', name, namespace: 'default' }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
  await api.send('POST', `${rbac}/clusterrolebindings`, { body: { metadata: { name }, roleRef, subjects } });
  const made = await api.send('POST', `/api/v1/namespaces/default/serviceaccounts/${name}/token`, { body: {} });
  const token = textAt(made.body, 'status', 'token');
  return (method: string, path: string, as: Readonly<Record<string, string>>) =>
    api.send(method, path, { token, headers: as });
}

const on = (mode: string, verb: string, resources = ['pods']): Json => ({
  apiGroups: [''],
  resources,
  verbs: [`impersonate-on:${mode}:${verb}`],
});
const whom = (mode: string, resource: string, ...resourceNames: readonly string[]): Json => ({
  apiGroups: [outside],
  resources: [resource],
  verbs: [`impersonate:${mode}`],
  ...(resourceNames.length > 0 && { resourceNames }),
});

spec('a user may be impersonated only for the allowed request', async ({ api }) => {
  const send = await actor(api, 'a', [
    on('user-info', 'list'),
    whom('user-info', 'users', 'bob'),
    whom('user-info', 'groups', 'dev', 'system:masters'),
  ]);
  const isBob = /^403 .*User "bob" cannot list resource "pods"/;
  assert.match(told(await send('GET', pods, { 'Impersonate-User': 'bob', 'Impersonate-Group': 'dev' })), isBob);
  assert.match(told(await send('GET', pods, { 'Impersonate-User': 'bob' })), isBob);
  const me = 'User "system:serviceaccount:default:a" cannot';
  assert.is(
    told(await send('DELETE', `${pods}/x`, { 'Impersonate-User': 'bob' })),
    `403 pods "x" is forbidden: ${me} impersonate-on:user-info:delete resource "pods" in API group "" in the namespace "default"`,
  );
  assert.is(
    told(await send('GET', pods, { 'Impersonate-User': 'eve' })),
    `403 users.${outside} "eve" is forbidden: ${me} impersonate:user-info resource "users" in API group "${outside}" at the cluster scope`,
  );
  assert.is(
    told(await send('GET', pods, { 'Impersonate-User': 'bob', 'Impersonate-Group': 'system:masters' })),
    `403 groups.${outside} "system:masters" is forbidden: ${me} impersonate:user-info resource "groups" in API group "${outside}" at the cluster scope: impersonating the system:masters group is not allowed`,
  );
});

spec('nodes and service accounts have separate modes of impersonation', async ({ api }) => {
  const account = 'system:serviceaccount:default:other';
  const send = await actor(api, 'b', [
    on('arbitrary-node', 'list'),
    whom('arbitrary-node', 'nodes', 'node-1'),
    on('serviceaccount', 'list'),
    whom('serviceaccount', 'serviceaccounts', 'other'),
    on('user-info', 'list'),
    whom('user-info', 'users'),
  ]);
  assert.match(told(await send('GET', pods, { 'Impersonate-User': account })), /User "system:.*:other" cannot list/);
  const asNode = await send('GET', pods, { 'Impersonate-User': 'system:node:node-1' });
  assert.not.match(told(asNode), /impersonate/);
  assert.match(
    told(await send('GET', pods, { 'Impersonate-User': 'system:node:node-2' })),
    /^403 nodes\.authentication\.k8s\.io "node-2" is forbidden: .* impersonate:arbitrary-node resource "nodes"/,
  );
  // With a group it is neither: then only the old right counts.
  assert.match(
    told(await send('GET', pods, { 'Impersonate-User': account, 'Impersonate-Group': 'dev' })),
    /^403 serviceaccounts "other" is forbidden: .* cannot impersonate resource "serviceaccounts"/,
  );
});

spec('the first refusal is returned, by the mode that served last', async ({ api }) => {
  const send = await actor(api, 'c', [
    { apiGroups: [''], resources: ['users'], resourceNames: ['bob'], verbs: ['impersonate'] },
  ]);
  const eve = () => send('GET', pods, { 'Impersonate-User': 'eve' });
  assert.match(told(await eve()), /cannot impersonate-on:user-info:list resource "pods"/);
  assert.match(told(await send('GET', pods, { 'Impersonate-User': 'bob' })), /User "bob" cannot list/);
  assert.match(told(await eve()), /cannot impersonate resource "users"/);
});

spec.run();
