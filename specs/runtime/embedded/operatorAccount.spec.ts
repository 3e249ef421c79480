import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { parseAllDocuments } from 'yaml';
import { apiAudiences } from '../../../runtime/embedded/api/authentication/authenticator.ts';
import { type Json, at, jsonAt, listAt, textAt } from '../../../runtime/embedded/api/json.ts';
import { ensureOperatorAccount } from '../../../runtime/local/operatorAccount.ts';
import { operatorBinding } from '../../../rules/project/access.ts';
import { environmentNamespace } from '../../../rules/project/namespace.ts';
import { blockCloudMetadata, projectIsolation } from '../../../rules/project/policies.ts';
import { suite } from '../../support/suite.ts';
import { core, inSystem, install, type Started, started } from './started.ts';

const spec = suite<{ api: Started }>('the account of the operator');
spec.before(async (context) => {
  context.api = await started();
  await install(context.api);
});
spec.after(({ api }) => api.end());

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const dir = fileURLToPath(new URL('../../../crds/install/', import.meta.url));
const written = readdirSync(dir, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .flatMap((name) => parseAllDocuments(readFileSync(`${dir}${name}`, 'utf8')))
  .map((document) => document.toJS() as Json);
const plurals: Readonly<Record<string, string>> = {
  Role: 'roles',
  RoleBinding: 'rolebindings',
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
};
const access = written.filter((object) => plurals[textAt(object, 'kind')] !== undefined);

function pathOf(object: Json): string {
  const namespace = textAt(object, 'metadata', 'namespace');
  const scope = namespace === '' ? '' : `/namespaces/${namespace}`;
  return `${rbac}${scope}/${plurals[textAt(object, 'kind')] ?? ''}/${textAt(object, 'metadata', 'name')}`;
}

spec(
  'the roles and bindings of the operator account are those of crds/install, and restored when changed',
  async ({ api }) => {
    await ensureOperatorAccount(api.store);
    const isAsWritten = async () => {
      assert.ok(access.length >= 2);
      for (const object of access) {
        const { body } = await api.send('GET', pathOf(object));
        for (const field of ['rules', 'subjects', 'roleRef'])
          assert.equal(body[field], object[field], `${pathOf(object)}: ${field}`);
      }
    };
    await isAsWritten();
    const role = access.find((object) => textAt(object, 'kind') === 'Role') ?? {};
    const widen = { rules: [...listAt(role, 'rules'), { apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] };
    await api.send('PATCH', pathOf(role), { body: widen, type: 'application/merge-patch+json' });
    await ensureOperatorAccount(api.store);
    await isAsWritten();
  },
);

spec('the operator account may do its work and nothing else', async ({ api }) => {
  const account = await ensureOperatorAccount(api.store);
  const { token } = api.accountTokens.issue(account, { audiences: apiAudiences, seconds: 3_600 });
  const code = async (method: string, path: string, body?: object, type?: string) =>
    (await api.send(method, path, { token, ...(body && { body }), ...(type && { type }) })).code;
  assert.is(await code('GET', `${core}/corebuilds`), 200);
  assert.is(await code('GET', `${inSystem}/secrets`), 200);
  assert.is(await code('GET', '/api/v1/secrets'), 200, 'those it made are watched by their label');
  assert.is(await code('GET', '/api/v1/namespaces/default/secrets/x'), 403);
  assert.is(await code('DELETE', '/api/v1/namespaces/default/secrets/x'), 403);
  const merge = 'application/merge-patch+json';
  assert.is(await code('PATCH', '/api/v1/nodes/x', {}, merge), 404, 'nodes get the region and the tags of servers');
  assert.is(await code('PATCH', '/api/v1/nodes/x/status', {}, merge), 403);
  assert.is(await code('GET', '/api/v1/nodes/x'), 403);
  assert.is(await code('POST', '/api/v1/nodes', { metadata: { name: 'x' } }), 403);
  assert.is(await code('DELETE', '/api/v1/nodes/x'), 403);
  const role = { metadata: { name: 'mine' }, rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }] };
  assert.is(await code('POST', `${rbac}/namespaces/core-system/roles`, role), 403);
  const review = await api.send('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', { token, body: {} });
  assert.is(textAt(jsonAt(review.body, 'status'), 'userInfo', 'username'), 'system:serviceaccount:core-system:core');
  assert.is(at(review.body, 'status', 'userInfo', 'uid'), account.metadata.uid);
});

spec(
  'the operator account may only bind its role in an environment before the binding, and do its work after',
  async ({ api }) => {
    const account = await ensureOperatorAccount(api.store);
    const { token } = api.accountTokens.issue(account, { audiences: apiAudiences, seconds: 3_600 });
    const send = (method: string, path: string, body?: object, type?: string) =>
      api.send(method, path, { token, ...(body && { body }), ...(type && { type }) });
    const of = { project: 'shop', environment: 'production', cluster: 'local' };
    const home = '/api/v1/namespaces/shop-production';
    const policies = '/apis/networking.k8s.io/v1/namespaces/shop-production/networkpolicies';
    const bindings = `${rbac}/namespaces/shop-production/rolebindings`;
    assert.is(
      (await send('POST', '/api/v1/namespaces', environmentNamespace({ ...of, ownerUid: '', tags: [] }))).code,
      201,
    );
    assert.is((await send('POST', policies, blockCloudMetadata(of))).code, 403, 'nothing is bound yet');
    const other = { ...operatorBinding(of), roleRef: { ...operatorBinding(of).roleRef, name: 'core-environments' } };
    assert.is((await send('POST', bindings, { ...other, metadata: { name: 'other' } })).code, 201, 'its own rights');
    const admin = { ...other, roleRef: { ...other.roleRef, name: 'cluster-admin' }, metadata: { name: 'admin' } };
    assert.is((await send('POST', bindings, admin)).code, 403, 'more than it has');
    assert.is((await send('POST', bindings, operatorBinding(of))).code, 201);
    assert.is((await send('POST', policies, blockCloudMetadata(of))).code, 201);
    assert.is((await send('POST', policies, projectIsolation(of, ['api']))).code, 201);
    assert.is((await send('DELETE', `${policies}/core-project-isolation`)).code, 200);
    assert.is((await send('GET', `${home}/secrets/x`)).code, 404, 'it may read, and there is none');
    assert.is((await send('GET', '/api/v1/namespaces/default/secrets/x')).code, 403);
    assert.is((await send('DELETE', '/api/v1/namespaces/default')).code, 403);
    assert.is((await send('DELETE', home)).code, 200);
  },
);

spec.run();
