import * as assert from 'uvu/assert';
import { deletions } from '../../../crds/admission/deletions.ts';
import { coreProject } from '../../../crds/coreProject.ts';
import { manifestOf } from '../../../crds/manifest.ts';
import { annotation, apiVersion } from '../../../crds/names.ts';
import { textAt } from '../../../runtime/embedded/api/json.ts';
import { suite } from '../../support/suite.ts';
import { eventually, type Started, started } from './started.ts';

const spec = suite('rights to request the deletion of a project');
let api: Started;
const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const access = '/apis/rbac.authorization.k8s.io/v1/namespaces/core-system';
const projects = `/apis/${apiVersion}/namespaces/core-system/coreprojects`;

spec.before(async () => {
  api = await started();
  await api.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: manifestOf(coreProject) });
  for (const body of deletions) {
    const path = body.kind.endsWith('Binding') ? policies.replace('policies', 'policybindings') : policies;
    await api.send('POST', path, { body });
  }
  await api.send('POST', '/api/v1/namespaces', { body: { metadata: { name: 'core-system' } } });
  const may = async (user: string, resources: readonly string[], verbs: readonly string[]) => {
    const name = `${user}-${resources.join('-')}`;
    const rules = [{ apiGroups: ['core.platform'], resources, verbs }];
    await api.send('POST', `${access}/roles`, { body: { metadata: { name }, rules } });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name };
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }];
    await api.send('POST', `${access}/rolebindings`, { body: { metadata: { name }, roleRef, subjects } });
  };
  for (const user of ['editor', 'core']) await may(user, ['coreprojects'], ['get', 'create', 'patch']);
  await may('core', ['moves'], ['create']);
});
spec.after(() => api.end());

const annotate = (user: string, annotations: Readonly<Record<string, string | null>>) =>
  api.send('PATCH', `${projects}/shop`, {
    headers: { 'Impersonate-User': user, 'Content-Type': 'application/merge-patch+json' },
    body: { metadata: { annotations } },
  });

spec('only Core sets a requested deletion, and an editor of the project may remove it', async () => {
  const body = {
    apiVersion,
    kind: 'CoreProject',
    metadata: { name: 'shop' },
    spec: { clusterRef: { name: 'local' }, environments: ['production'] },
  };
  assert.is((await api.send('POST', projects, { headers: { 'Impersonate-User': 'editor' }, body })).code, 201);
  const asked = { [annotation.deletion]: '{"uid":"a","everything":true}' };
  await eventually(async () => (await annotate('editor', asked)).code === 422, 'the policy holds');
  const refused = await annotate('editor', asked);
  assert.match(textAt(refused.body, 'message'), /only Core writes the annotation core\.platform\/deletion$/);
  assert.is((await annotate('core', asked)).code, 200);
  assert.is((await annotate('editor', { other: 'x' })).code, 200);
  assert.is((await annotate('editor', { [annotation.deletion]: '{}' })).code, 422);
  assert.is((await annotate('editor', { [annotation.deletion]: null })).code, 200);
});

spec.run();
