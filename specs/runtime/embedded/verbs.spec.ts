import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { clusterOptions } from '../../../runtime/local/clusterOptions.ts';
import { writeKubeconfig } from '../../../runtime/embedded/api/kubeconfig.ts';
import { at, listAt, textAt } from '../../../runtime/embedded/api/json.ts';
import { suite } from '../../support/suite.ts';
import { type Started, build, configMap, core, inSystem, install, merge, started } from './started.ts';

const spec = suite<{ api: Started }>('verbs');
spec.before(async (context) => {
  context.api = await started();
  await install(context.api);
});
spec.after(({ api }) => api.end());

spec('the identity files are private and unchanged by a restart', async ({ api }) => {
  for (const file of ['token', 'kubeconfig', 'pki/certificates.json'])
    assert.is(statSync(join(api.dataDir, file)).mode & 0o777, 0o600, file);
  const config: unknown = parse(readFileSync(api.kubeconfigPath, 'utf8'));
  assert.is(textAt(config, 'clusters', 0, 'cluster', 'server'), api.url);
  assert.is(textAt(config, 'contexts', 0, 'context', 'namespace'), 'core-system');
  assert.is(textAt(config, 'current-context'), 'core');
  assert.ok(existsSync(api.kubeconfigPath) && api.kubeconfigPath.startsWith('/'));
});

spec('a kubeconfig for the server keeps its other entries, and any other one is overwritten', ({ api }) => {
  const dir = mkdtempSync(join(tmpdir(), 'core-kubeconfig-'));
  const access = { names: clusterOptions.names, url: api.url, ca: 'the authority', token: 'the token' };
  const path = writeKubeconfig(dir, access);
  const written = readFileSync(path, 'utf8');
  const moved = written.replace('namespace: core-system', 'namespace: elsewhere');
  writeFileSync(path, moved);
  writeKubeconfig(dir, access);
  assert.is(readFileSync(path, 'utf8'), moved);
  for (const other of [{ token: 'another' }, { url: 'https://127.0.0.1:1' }, { ca: 'another' }]) {
    writeKubeconfig(dir, { ...access, ...other });
    assert.is.not(readFileSync(path, 'utf8'), moved);
    writeFileSync(path, moved);
  }
  writeFileSync(path, '{ broken');
  writeKubeconfig(dir, access);
  assert.is(readFileSync(path, 'utf8'), written);
  rmSync(dir, { recursive: true });
});

spec('a wrong token is 401, and a request without one is 403 except for health', async ({ api }) => {
  const refused = await api.send('GET', `${inSystem}/secrets`, { token: 'wrong' });
  assert.equal([refused.code, refused.body['kind'], refused.body['reason']], [401, 'Status', 'Unauthorized']);
  assert.is((await api.send('GET', `${inSystem}/secrets`, { token: '' })).code, 403);
  assert.is((await api.send('GET', '/readyz', { token: '' })).code, 200);
});

spec('objects are created, read, replaced and deleted, with the refusals of a real server', async ({ api }) => {
  const made = await api.send('POST', `${inSystem}/configmaps`, { body: configMap('one', { a: '1' }) });
  assert.is(made.code, 201);
  const twice = await api.send('POST', `${inSystem}/configmaps`, { body: configMap('one') });
  assert.equal([twice.code, twice.body['reason']], [409, 'AlreadyExists']);
  const got = await api.send('GET', `${inSystem}/configmaps/one`);
  assert.equal(got.body, made.body);
  const body = { ...made.body, data: { a: '2' } };
  assert.is((await api.send('PUT', `${inSystem}/configmaps/one`, { body })).code, 200);
  const stale = await api.send('PUT', `${inSystem}/configmaps/one`, { body: { ...body, data: { a: '3' } } });
  assert.equal([stale.code, stale.body['reason']], [409, 'Conflict']);
  assert.match(
    textAt(stale.body, 'message'),
    /^Operation cannot be fulfilled on configmaps "one": the object has been/,
  );
  const gone = await api.send('DELETE', `${inSystem}/configmaps/one`);
  assert.equal([gone.code, gone.body['status'], at(gone.body, 'details', 'name')], [200, 'Success', 'one']);
  const absent = await api.send('GET', `${inSystem}/configmaps/one`);
  assert.equal([absent.code, absent.body['message']], [404, 'configmaps "one" not found']);
});

spec(
  'an object needs a valid name or generateName, and an existing namespace that matches the path',
  async ({ api }) => {
    const post = (body: object, path = `${inSystem}/configmaps`) => api.send('POST', path, { body });
    const generated = await post({ ...configMap(''), metadata: { generateName: 'made-' } });
    assert.match(textAt(generated.body, 'metadata', 'name'), /^made-[a-z0-9]{5}$/);
    const wrong = await post(configMap('Not_A_Name'));
    assert.is(wrong.code, 422);
    assert.match(textAt(wrong.body, 'message'), /^ConfigMap "Not_A_Name" is invalid: metadata\.name: Invalid value/);
    assert.is((await post({ ...configMap(''), metadata: {} })).code, 422);
    assert.is((await post(configMap('x'), '/api/v1/namespaces/nowhere/configmaps')).code, 404);
    assert.is((await post(configMap('x', {}, { namespace: 'other' }))).code, 400);
    assert.is((await post({ ...configMap('x'), kind: 'Secret' })).code, 400);
  },
);

spec('malformed, unsupported and oversized bodies are refused', async ({ api }) => {
  const post = (body: string, type?: string) =>
    api.send('POST', `${inSystem}/configmaps`, { body, ...(type !== undefined && { type }) });
  assert.is((await post('{')).code, 400);
  assert.is((await post('a: [', 'application/yaml')).code, 400);
  assert.is((await post('x', 'text/plain')).code, 415);
  assert.is((await post('kind: ConfigMap\nmetadata: {name: from-yaml}\n', 'application/yaml')).code, 201);
  assert.is((await post(`"${'x'.repeat(3_200_000)}"`)).code, 413);
  assert.is((await api.send('GET', '/apis/nothing/v1/things')).code, 404);
  assert.is((await api.send('PUT', `${inSystem}/configmaps`, { body: configMap('x') })).code, 405);
});

spec('a status write changes only the status, and any other write everything else', async ({ api }) => {
  await api.send('POST', `${core}/corebuilds`, { body: { ...build('parts'), status: { phase: 'Failed' } } });
  const patch = (path: string, body: object) =>
    api.send('PATCH', `${core}/corebuilds/parts${path}`, { body, type: merge });
  const first = await patch('', { status: { phase: 'Running' }, spec: { gitCredentialRef: { name: 'b' } } });
  assert.equal([at(first.body, 'status'), at(first.body, 'metadata', 'generation')], [undefined, 2]);
  const second = await patch('/status', {
    status: { phase: 'Running' },
    spec: { gitCredentialRef: { name: 'c' } },
    metadata: { labels: { a: 'b' } },
  });
  assert.is(textAt(second.body, 'status', 'phase'), 'Running');
  assert.is(textAt(second.body, 'spec', 'gitCredentialRef', 'name'), 'b');
  assert.equal([at(second.body, 'metadata', 'labels'), at(second.body, 'metadata', 'generation')], [undefined, 2]);
  const stale = await patch('/status', { metadata: { resourceVersion: '1' }, status: { phase: 'Failed' } });
  assert.is(stale.code, 409);
  const other = await patch('', { metadata: { uid: 'other' } });
  assert.is(other.code, 422);
  const same = await patch('/status', { status: { phase: 'Running' } });
  assert.equal(same.body, second.body);
});

spec('a list is paged, and a dry run stores nothing', async ({ api }) => {
  for (let n = 0; n < 5; n += 1)
    await api.send('POST', `${inSystem}/configmaps`, {
      body: configMap(`page-${n}`, {}, { labels: { paged: 'yes' } }),
    });
  const path = `${inSystem}/configmaps?labelSelector=paged%3Dyes&limit=2`;
  const names: string[] = [];
  let token = '';
  do {
    const { body } = await api.send('GET', `${path}&continue=${token}`);
    names.push(...listAt(body, 'items').map((item) => textAt(item, 'metadata', 'name')));
    token = textAt(body, 'metadata', 'continue');
  } while (token !== '');
  assert.equal(names, ['page-0', 'page-1', 'page-2', 'page-3', 'page-4']);
  assert.is((await api.send('GET', `${path}&continue=nonsense`)).code, 400);
  const dry = await api.send('POST', `${inSystem}/configmaps?dryRun=All`, { body: configMap('dry') });
  assert.is(dry.code, 201);
  assert.is((await api.send('GET', `${inSystem}/configmaps/dry`)).code, 404);
  assert.is((await api.send('DELETE', `${inSystem}/configmaps/page-0?dryRun=All`)).code, 200);
  assert.is((await api.send('GET', `${inSystem}/configmaps/page-0`)).code, 200);
});

spec('list items of built-in kinds have no kind field, and those of custom kinds have one', async ({ api }) => {
  await api.send('POST', `${inSystem}/configmaps`, { body: configMap('listed') });
  await api.send('POST', `${core}/corebuilds`, { body: build('listed') });
  const named = async (path: string) => {
    const items = listAt((await api.send('GET', path)).body, 'items');
    assert.ok(items.length > 0, path);
    return new Set(items.map((item) => `${textAt(item, 'apiVersion')} ${textAt(item, 'kind')}`));
  };
  assert.equal([...(await named(`${inSystem}/configmaps`))], [' ']);
  assert.equal([...(await named('/apis/apiextensions.k8s.io/v1/customresourcedefinitions'))], [' ']);
  assert.equal([...(await named(`${core}/corebuilds`))], ['core.platform/v1alpha1 CoreBuild']);
  const { body } = await api.send('GET', `${inSystem}/configmaps/listed`);
  assert.equal([textAt(body, 'apiVersion'), textAt(body, 'kind')], ['v1', 'ConfigMap']);
});

spec('selectors choose by labels, also by sets, and by the fields of the kind', async ({ api }) => {
  const make = (name: string, labels: object) =>
    api.send('POST', `${inSystem}/secrets`, {
      body: { kind: 'Secret', metadata: { name, labels }, stringData: { k: 'v' } },
    });
  await make('s1', { tier: 'web', env: 'prod' });
  await make('s2', { tier: 'web' });
  await make('s3', { tier: 'db' });
  const found = async (query: string) => {
    const { body } = await api.send('GET', `${inSystem}/secrets?${query}`);
    return listAt(body, 'items')
      .map((item) => textAt(item, 'metadata', 'name'))
      .join(' ');
  };
  const labels = (text: string) => found(`labelSelector=${encodeURIComponent(text)}`);
  assert.is(await labels('tier=web'), 's1 s2');
  assert.is(await labels('tier==web,env!=prod'), 's2');
  assert.is(await labels('tier in (web, db),env'), 's1');
  assert.is(await labels('tier notin (web)'), 's3');
  assert.is(await labels('!env,tier'), 's2 s3');
  assert.is(await found(`fieldSelector=${encodeURIComponent('metadata.name=s2')}`), 's2');
  assert.is(await found(`fieldSelector=${encodeURIComponent('type!=Opaque')}`), '');
  assert.is((await api.send('GET', `${inSystem}/secrets?fieldSelector=data.x%3D1`)).code, 400);
  assert.is((await api.send('GET', `${inSystem}/secrets?labelSelector=%3D%3D`)).code, 400);
});

spec('a deletion checks its preconditions, and a collection deletion its selector', async ({ api }) => {
  for (const name of ['d1', 'd2'])
    await api.send('POST', `${inSystem}/configmaps`, { body: configMap(name, {}, { labels: { d: '' } }) });
  const other = await api.send('DELETE', `${inSystem}/configmaps/d1`, { body: { preconditions: { uid: 'other' } } });
  assert.equal([other.code, other.body['reason']], [409, 'Conflict']);
  const all = await api.send('DELETE', `${inSystem}/configmaps?labelSelector=d`);
  assert.is(listAt(all.body, 'items').length, 2);
  assert.is((await api.send('GET', `${inSystem}/configmaps/d1`)).code, 404);
  assert.is((await api.send('DELETE', `${inSystem}/configmaps/d1`)).code, 404);
});

spec('built-in kinds get default fields and are validated', async ({ api }) => {
  const secret = await api.send('POST', `${inSystem}/secrets`, {
    body: { kind: 'Secret', metadata: { name: 'filled' }, stringData: { k: 'v' } },
  });
  assert.equal(
    [secret.body['data'], secret.body['stringData'], secret.body['type']],
    [{ k: 'dg==' }, undefined, 'Opaque'],
  );
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
  const job = await api.send('POST', '/apis/batch/v1/namespaces/core-system/jobs', {
    body: { kind: 'Job', metadata: { name: 'j' }, spec: { template } },
  });
  const uid = textAt(job.body, 'metadata', 'uid');
  assert.equal([at(job.body, 'spec', 'backoffLimit'), at(job.body, 'spec', 'parallelism')], [6, 1]);
  assert.is(textAt(job.body, 'spec', 'template', 'metadata', 'labels', 'batch.kubernetes.io/controller-uid'), uid);
  const empty = await api.send('POST', `${inSystem}/pods`, {
    body: { kind: 'Pod', metadata: { name: 'p' }, spec: {} },
  });
  assert.match(textAt(empty.body, 'message'), /spec\.containers: Required value/);
});

spec('logs are read completely, from the end and followed, and refused for an unknown container', async ({ api }) => {
  const body = {
    kind: 'Pod',
    metadata: { name: 'logged', annotations: { 'core.platform/log': 'one\ntwo\nthree\n' } },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  };
  await api.send('POST', `${inSystem}/pods`, { body });
  const log = async (query: string) => (await api.send('GET', `${inSystem}/pods/logged/log?${query}`)).body['text'];
  assert.is(await log(''), 'one\ntwo\nthree\n');
  assert.is(await log('tailLines=1'), 'three\n');
  assert.is(await log('limitBytes=5&container=c'), 'one\nt');
  assert.is(await log('follow=true&tailLines=2'), 'two\nthree\n');
  assert.match(String(await log('timestamps=true&tailLines=1')), /^\d{4}-\S+Z three\n$/);
  assert.is((await api.send('GET', `${inSystem}/pods/logged/log?container=x`)).code, 400);
});

spec.run();
