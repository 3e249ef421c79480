import * as assert from 'uvu/assert';
import { moves } from '../../../crds/admission/moves.ts';
import { coreBuild } from '../../../crds/coreBuild.ts';
import { manifestOf } from '../../../crds/manifest.ts';
import { annotation, apiVersion } from '../../../crds/names.ts';
import { jsonAt, textAt } from '../../../runtime/embedded/api/json.ts';
import { suite } from '../../support/suite.ts';
import { eventually, type Started, started } from './started.ts';

const spec = suite('rights to write pending moves');
let api: Started;
const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const access = '/apis/rbac.authorization.k8s.io/v1/namespaces/core-system';
const builds = `/apis/${apiVersion}/namespaces/core-system/corebuilds`;

spec.before(async () => {
  api = await started();
  await api.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: manifestOf(coreBuild) });
  for (const object of moves)
    await api.send(
      'POST',
      object.kind.endsWith('Binding') ? policies.replace('policies', 'policybindings') : policies,
      {
        body: object,
      },
    );
  await api.send('POST', '/api/v1/namespaces', { body: { metadata: { name: 'core-system' } } });
  const may = async (user: string, resources: readonly string[], verbs: readonly string[]) => {
    const name = `${user}-${resources.join('-')}`;
    await api.send('POST', `${access}/roles`, {
      body: { metadata: { name }, rules: [{ apiGroups: ['core.platform'], resources, verbs }] },
    });
    await api.send('POST', `${access}/rolebindings`, {
      body: {
        metadata: { name },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
      },
    });
  };
  for (const user of ['editor', 'core']) await may(user, ['corebuilds'], ['get', 'create', 'patch']);
  await may('core', ['moves'], ['create']);
});
spec.after(() => api.end());

const build = (name: string, move?: string) => ({
  apiVersion,
  kind: 'CoreBuild',
  metadata: { name, ...(move === undefined ? {} : { annotations: { [annotation.move]: move } }) },
  spec: { project: 'shop', environment: 'production', app: 'web' },
});
const as = (user: string) => ({ 'Impersonate-User': user });
const create = async (user: string, name: string, move?: string) =>
  (await api.send('POST', builds, { headers: as(user), body: build(name, move) })).code;
const annotate = (user: string, name: string, annotations: Record<string, string | null>) =>
  api.send('PATCH', `${builds}/${name}`, {
    headers: { ...as(user), 'Content-Type': 'application/merge-patch+json' },
    body: { metadata: { annotations } },
  });
const carried = '{"uid":"a","seq":1}';

spec('only Core writes the pending move of an object, and other editors may only remove it', async () => {
  assert.is(await create('core', 'made'), 201);
  await eventually(
    async () => (await annotate('editor', 'made', { [annotation.move]: '{}' })).code === 422,
    'the policy holds',
  );
  const refused = await annotate('editor', 'made', { [annotation.move]: carried });
  assert.match(textAt(refused.body, 'message'), /only Core writes the annotation core\.platform\/move$/);
  assert.is((await annotate('core', 'made', { [annotation.move]: carried })).code, 200);
  assert.is((await annotate('editor', 'made', { other: 'x' })).code, 200);
  assert.is((await annotate('editor', 'made', { [annotation.move]: '{"uid":"a","seq":2}' })).code, 422);
  const dropped = await annotate('editor', 'made', { [annotation.move]: null });
  assert.equal(jsonAt(dropped.body, 'metadata', 'annotations'), { other: 'x' });
});

spec('an editor may copy an object with its carried move, but not forge the move of a creation', async () => {
  assert.is(await create('editor', 'copy', carried), 201);
  assert.is(await create('editor', 'forged', '{"seq":1}'), 422);
  assert.is(await create('core', 'created', '{"seq":1}'), 201);
});

spec.run();
