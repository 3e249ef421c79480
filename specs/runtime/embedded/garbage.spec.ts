import { rmSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { type Json, at, listAt, textAt } from '../../../runtime/embedded/api/json.ts';
import { openDisk } from '../../../runtime/embedded/api/store/disk.ts';
import { suite } from '../../support/suite.ts';
import { type Started, configMap, eventually, inSystem, started } from './started.ts';

const spec = suite<{ api: Started }>('garbage');
spec.before(async (context) => {
  context.api = await started();
});
spec.after(({ api }) => api.end());

const path = `${inSystem}/configmaps`;
const create = async (api: Started, name: string, metadata: Json = {}) =>
  (await api.send('POST', path, { body: configMap(name, {}, metadata) })).body;
const ownerOf = (body: Json, more: Json = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: textAt(body, 'metadata', 'name'),
  uid: textAt(body, 'metadata', 'uid'),
  ...more,
});
const isGone = async (api: Started, name: string) => (await api.send('GET', `${path}/${name}`)).code === 404;
const remove = (api: Started, name: string, propagationPolicy: string) =>
  api.send('DELETE', `${path}/${name}`, { body: { propagationPolicy } });

spec('an object without owners is deleted, with its own dependents', async ({ api }) => {
  const [one, two] = [await create(api, 'one'), await create(api, 'two')];
  const child = await create(api, 'child', { ownerReferences: [ownerOf(one)] });
  await create(api, 'grandchild', { ownerReferences: [ownerOf(child)] });
  await create(api, 'shared', { ownerReferences: [ownerOf(one), ownerOf(two)] });
  await remove(api, 'one', 'Background');
  await eventually(() => isGone(api, 'grandchild'), 'the grandchild is gone');
  await eventually(async () => {
    const { body } = await api.send('GET', `${path}/shared`);
    return listAt(body, 'metadata', 'ownerReferences').length === 1;
  }, 'the shared one has one owner left');
});

spec('an object is deleted when its owner does not exist', async ({ api }) => {
  await create(api, 'lost', { ownerReferences: [ownerOf({ metadata: { name: 'x', uid: 'nobody' } })] });
  await eventually(() => isGone(api, 'lost'), 'it is gone');
});

spec('dependents stay without the owner reference when the owner is deleted with Orphan', async ({ api }) => {
  const owner = await create(api, 'leaving');
  await create(api, 'staying', { ownerReferences: [ownerOf(owner)] });
  await remove(api, 'leaving', 'Orphan');
  await eventually(() => isGone(api, 'leaving'), 'the owner is gone');
  const { code, body } = await api.send('GET', `${path}/staying`);
  assert.equal([code, listAt(body, 'metadata', 'ownerReferences')], [200, []]);
});

spec('the owner is deleted last when the deletion is Foreground', async ({ api }) => {
  const owner = await create(api, 'patient');
  await create(api, 'slow', {
    ownerReferences: [ownerOf(owner, { blockOwnerDeletion: true })],
    finalizers: ['test/hold'],
  });
  const answer = await remove(api, 'patient', 'Foreground');
  assert.equal(at(answer.body, 'metadata', 'finalizers'), ['foregroundDeletion']);
  await eventually(async () => {
    const { body } = await api.send('GET', `${path}/slow`);
    return textAt(body, 'metadata', 'deletionTimestamp') !== '';
  }, 'the dependent is being deleted');
  assert.not(await isGone(api, 'patient'));
  await api.send('PATCH', `${path}/slow`, {
    body: { metadata: { finalizers: null } },
    type: 'application/merge-patch+json',
  });
  await eventually(() => isGone(api, 'patient'), 'the owner is gone');
});

spec('a Job deleted without a word about its pods leaves them, with a warning', async ({ api }) => {
  const jobs = '/apis/batch/v1/namespaces/core-system/jobs';
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
  const { body } = await api.send('POST', jobs, { body: { kind: 'Job', metadata: { name: 'j' }, spec: { template } } });
  await create(api, 'of-job', { ownerReferences: [ownerOf(body, { apiVersion: 'batch/v1', kind: 'Job' })] });
  const deleted = await api.send('DELETE', `${jobs}/j`);
  assert.match(deleted.warning, /child pods are preserved by default/);
  await eventually(async () => (await api.send('GET', `${jobs}/j`)).code === 404, 'the Job is gone');
  assert.not(await isGone(api, 'of-job'));
});

spec('a namespace is deleted with its contents and accepts no objects while terminating', async ({ api }) => {
  await api.send('POST', '/api/v1/namespaces', { body: { kind: 'Namespace', metadata: { name: 'short' } } });
  const inShort = '/api/v1/namespaces/short/configmaps';
  await api.send('POST', inShort, { body: configMap('held', {}, { finalizers: ['test/hold'] }) });
  await api.send('POST', inShort, { body: configMap('free') });
  await api.send('DELETE', '/api/v1/namespaces/short');
  await eventually(async () => {
    const { body } = await api.send('GET', '/api/v1/namespaces/short');
    return textAt(body, 'status', 'phase') === 'Terminating';
  }, 'it is terminating');
  assert.is((await api.send('POST', inShort, { body: configMap('late') })).code, 403);
  await eventually(async () => (await api.send('GET', `${inShort}/free`)).code === 404, 'its objects go');
  await api.send('PATCH', `${inShort}/held`, {
    body: { metadata: { finalizers: null } },
    type: 'application/merge-patch+json',
  });
  await eventually(async () => (await api.send('GET', '/api/v1/namespaces/short')).code === 404, 'it is gone');
});

spec('a namespace deletes the resources of controllers last, so that finalizers can finish', async ({ api }) => {
  await api.send('POST', '/api/v1/namespaces', { body: { kind: 'Namespace', metadata: { name: 'worked' } } });
  const inWorked = '/api/v1/namespaces/worked';
  const rights = '/apis/rbac.authorization.k8s.io/v1/namespaces/worked/roles';
  const service = { metadata: { name: 'held', finalizers: ['test/hold'] }, spec: { ports: [{ port: 80 }] } };
  assert.is((await api.send('POST', `${inWorked}/services`, { body: service })).code, 201);
  assert.is(
    (await api.send('POST', `${inWorked}/serviceaccounts`, { body: { metadata: { name: 'worker' } } })).code,
    201,
  );
  assert.is((await api.send('POST', rights, { body: { metadata: { name: 'worker' }, rules: [] } })).code, 201);
  await api.send('DELETE', inWorked);
  const says = async () => JSON.stringify((await api.send('GET', inWorked)).body);
  await eventually(
    async () => (await says()).includes('test/hold in 1 resource instances'),
    'it waits for the finalizer',
  );
  const codes = async () => [
    (await api.send('GET', `${inWorked}/serviceaccounts/worker`)).code,
    (await api.send('GET', `${rights}/worker`)).code,
  ];
  assert.equal(await codes(), [200, 200]);
  await api.send('PATCH', `${inWorked}/services/held`, {
    body: { metadata: { finalizers: null } },
    type: 'application/merge-patch+json',
  });
  await eventually(async () => (await api.send('GET', inWorked)).code === 404, 'it is gone');
  assert.equal(await codes(), [404, 404]);
});

spec('unfinished garbage collection continues at the next start, and Events expire after an hour', async () => {
  const first = await started();
  const owner = await create(first, 'owner');
  await create(first, 'child', { ownerReferences: [ownerOf(owner)] });
  const seen = new Date(Date.now() - 3_660_000).toISOString();
  const event = { kind: 'Event', metadata: { name: 'old' }, involvedObject: {}, lastTimestamp: seen };
  assert.is((await first.send('POST', `${inSystem}/events`, { body: event })).code, 201);
  await first.stop();
  const disk = openDisk(`${first.dataDir}/objects`);
  await disk.write(
    [{ place: { bucket: '/configmaps', namespace: 'core-system', name: 'owner' }, text: null }],
    disk.revision + 1,
  );
  await disk.close();
  const second = await started({ dataDir: first.dataDir });
  await eventually(() => isGone(second, 'child'), 'the child is gone');
  const isExpired = async () => (await second.send('GET', `${inSystem}/events/old`)).code === 404;
  await eventually(isExpired, 'the Event of an hour ago is gone');
  await second.end();
  rmSync(first.dataDir, { recursive: true });
});

spec('an owner in another namespace does not count', async ({ api }) => {
  const owner = await create(api, 'elsewhere');
  await api.send('POST', '/api/v1/namespaces', { body: { kind: 'Namespace', metadata: { name: 'apart' } } });
  const apart = '/api/v1/namespaces/apart/configmaps';
  const body = configMap('astray', {}, { ownerReferences: [ownerOf(owner)] });
  await api.send('POST', apart, { body });
  await eventually(async () => (await api.send('GET', `${apart}/astray`)).code === 404, 'what it is said to own goes');
  assert.not(await isGone(api, 'elsewhere'));
});

spec.run();
