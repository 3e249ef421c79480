import * as assert from 'uvu/assert';
import type { CoreObjectStore } from '../../crds/coreObjectStore.ts';
import { annotation } from '../../crds/names.ts';
import type { BucketConnection, Change, Explanation, Items, Read, Summary } from '../../http/api.ts';
import { cloudConnections, objectStores, projects } from '../../runtime/services/cluster/kinds.ts';
import { owned } from '../../runtime/owned/owned.ts';
import { connectionName, putConnection, putKeys } from '../support/cloud/objects.ts';
import { putCluster, putProject } from '../support/project.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { serve, type Served } from './served.ts';

const spec = suite('object stores, over REST');
let served: Served;
spec.before.each(async () => {
  served = await serve();
  putCluster(served.world);
  putProject(served.world);
  putKeys(served.world);
  putConnection(served.world);
  await until(() => served.operator.caches.get(projects, 'shop')?.status?.phase === 'ProjectReady', 'the project');
  await until(() => served.operator.caches.get(cloudConnections, connectionName), 'the connection');
});
spec.after.each(() => served.stop());

const path = '/api/v1/object-stores';
const bucket = { name: 'files', mode: 'Bucket', project: 'shop', environment: 'production' };
const asked = { ...bucket, connectionRef: { name: connectionName } };
const send = (method: string, at: string, body?: object) =>
  served.ask(at, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const said = ({ status, text }: { readonly status: number; readonly text: string }) =>
  `${status} ${(JSON.parse(text) as { readonly error?: string }).error ?? ''}`;
const store = (name = 'files') => served.operator.caches.get(objectStores, name);
const isReady = (name = 'files') => store(name)?.status?.conditions?.some(({ status }) => status === 'True') === true;

spec('API-006 KND-048 a bucket is created as a draft, listed, read and deployed', async () => {
  const made = await send('POST', path, asked);
  assert.is(made.status, 201);
  const { deployed, draft, resource } = made.json() as { deployed: boolean; draft: boolean; resource: Summary };
  assert.equal([deployed, draft, resource.state], [false, true, 'draft']);
  const deploy = await send('POST', `${path}/files/deploy`, {});
  assert.is(deploy.status, 200);
  await until(() => isReady(), 'the bucket is ready');
  const { items } = (await served.ask(path)).json() as Items<Summary>;
  assert.equal(
    items.map(({ name, state, message }) => [name, state, message]),
    [['files', 'ready', 'Bucket is available']],
  );
  const read = (await served.ask(`${path}/files`)).json() as Read;
  assert.match(String(read.status['bucket']), /^core-files-/);
  assert.equal((await served.ask('/api/object-stores/files')).json(), read);
  assert.is(((await served.ask(`${path}?project=other`)).json() as Items<Summary>).items.length, 0);
  assert.equal(((await served.ask(`${path}/files/changes`)).json() as Items<object>).items, []);
  assert.is((await served.ask(`${path}/files/explain`)).status, 200);
  assert.is((await served.ask(`${path}/files/transitions`)).status, 200);
  assert.is((await send('POST', `${path}/files/reconcile`, {})).status, 200);
  assert.is((await send('PATCH', `${path}/files`, { displayName: 'Files' })).status, 200);
  assert.match(said(await send('POST', `${path}/files/retry`, {})), /^409/);
  const boot = (await served.ask('/api/v1/bootstrap')).json() as { readonly objectStores: readonly object[] };
  assert.is(boot.objectStores.length, 1);
});

spec('KND-010 the connection of a bucket includes its secret key only on a request that is logged', async () => {
  assert.is((await send('POST', path, asked)).status, 201);
  assert.is(said(await served.ask(`${path}/files/connection`)), '409 the bucket has no connection yet');
  await send('POST', `${path}/files/deploy`, {});
  await until(() => isReady(), 'the bucket is ready');
  const plain = (await served.ask(`${path}/files/connection`)).json() as BucketConnection;
  assert.equal([plain.endpoint, plain.secretAccessKey], ['http://cloud.test', undefined]);
  assert.is(plain.bucket, store()?.status?.bucket);
  const whole = (await served.ask(`${path}/files/connection?reveal=true`)).json() as BucketConnection;
  const known = served.world.cloud.model.state.keys.get(whole.accessKeyId);
  assert.is(whole.secretAccessKey, known?.secret);
  assert.equal(
    served.lines.filter(({ message }) => message === 'Connection details revealed').map(({ fields }) => fields),
    [{ kind: 'CoreObjectStore', name: 'files', by: 'admin' }],
  );
  await send('POST', path, { name: 'store', mode: 'Server' });
  assert.is(
    said(await served.ask(`${path}/store/connection`)),
    '409 an object store server has no connection of its own',
  );
});

const annotationOf = (name: string, which: keyof typeof annotation) =>
  store(name)?.metadata.annotations?.[annotation[which]];

spec(
  'KND-022 KND-023 KND-024 KND-025 KND-026 KND-027 KND-028 KND-029 KND-030 KND-049 KND-050 a draft bucket counts its changes, and a deploy takes the snapshot',
  async () => {
    const { name: _, ...unnamed } = asked;
    const made = (await send('POST', path, unnamed)).json() as { readonly name: string };
    assert.match(made.name, /^bucket-[0-9a-f]{8}$/);
    const { name } = made;
    assert.equal(
      [annotationOf(name, 'deployWorkflow'), annotationOf(name, 'pendingChanges'), store(name)?.spec.deploy.enabled],
      ['true', 'created', false],
    );
    assert.is((await send('PATCH', `${path}/${name}`, { displayName: 'photos' })).status, 200);
    assert.is(annotationOf(name, 'displayName'), 'photos');
    assert.is((await served.ask(`${path}/photos`)).status, 404);
    assert.is((await send('POST', `${path}/${name}/deploy`, {})).status, 200);
    await until(() => isReady(name), 'the bucket is ready');
    assert.is(store(name)?.spec.deploy.enabled, true);
    assert.equal(
      [annotationOf(name, 'pendingChanges') ?? '', annotationOf(name, 'pendingUpdates') ?? ''],
      ['', ''],
      'the markers are cleared',
    );
    const { connectionRef } = JSON.parse(annotationOf(name, 'lastDeployed') ?? '{}') as CoreObjectStore['spec'];
    assert.equal(connectionRef, { name: connectionName });
    const revision = annotationOf(name, 'deployRevision');
    assert.is((await send('POST', `${path}/${name}/deploy`, {})).status, 200);
    assert.is.not(annotationOf(name, 'deployRevision'), revision);
  },
);

spec(
  'KND-033 KND-047 KND-052 KND-054 KND-055 a changed server setting waits while the deployed one is in use',
  async () => {
    await send('POST', path, { name: 'store', mode: 'Server', deploy: true });
    const claimed = () =>
      (
        served.world.cluster.all(owned.claims).find(({ metadata }) => metadata.name === 'store-store') as
          { readonly spec: { readonly resources: { readonly requests: object } } } | undefined
      )?.spec.resources.requests;
    await until(claimed, 'its claim');
    assert.is((await send('PATCH', `${path}/store`, { storageSize: '20Gi' })).status, 200);
    assert.equal([annotationOf('store', 'pendingChanges'), annotationOf('store', 'pendingUpdates')], ['settings', '1']);
    const { items } = (await served.ask(`${path}/store/changes`)).json() as Items<Change>;
    assert.equal(
      items.map((one) => [one.path, one.saved]),
      [['spec.storageSize', '20Gi']],
    );
    assert.equal(claimed(), { storage: '10Gi' });
    await send('POST', `${path}/store/deploy`, {});
    assert.is(annotationOf('store', 'pendingChanges') ?? '', '');
    await until(
      () =>
        (JSON.parse(annotationOf('store', 'lastDeployed') ?? '{}') as { storageSize?: string }).storageSize === '20Gi',
      'the snapshot is the new one',
    );
  },
);

spec(
  'KND-039 KND-063 KND-066 OBS-007 OBS-008 a failed object store is reported and explained by its machine, and Retry starts provisioning anew',
  async () => {
    served.world.cluster.put(objectStores, {
      metadata: { name: 'lost', namespace: 'core-system' },
      spec: { mode: 'Bucket', project: 'shop', environment: 'production', deploy: { enabled: true } },
    });
    await until(() => store('lost')?.status?.phase === 'ProvisionFailed', 'it is given up');
    const { resource } = (await served.ask(`${path}/lost`)).json() as Read;
    assert.equal([resource.state, resource.message], ['failed', 'a bucket needs serverRef or connectionRef']);
    const { items } = (await served.ask(`${path}/lost/explain`)).json() as Items<Explanation>;
    assert.equal(
      items.map(({ machine, state }) => [machine, state]),
      [
        ['draftDeploy', 'Ungated'],
        ['provisionRetry', 'ProvisionFailed'],
        ['objectStore', 'ProvisionFailed'],
      ],
    );
    const answer = (await send('POST', `${path}/lost/retry`, {})).json() as { readonly note: string };
    assert.is(answer.note, 'Retrying provisioning');
    await until(() => (store('lost')?.status?.provision?.provisionAttempts ?? []).length === 2, 'another attempt');
    const moves = (await served.ask(`${path}/lost/transitions`)).json() as Items<{ readonly event: string }>;
    assert.ok(moves.items.some(({ event }) => event === 'retryAsked'));
  },
);

spec('an invalid object store is refused and not saved', async () => {
  for (const [body, sentence] of [
    [bucket, '400 a bucket needs serverRef or connectionRef'],
    [{ ...asked, connectionRef: { name: 'none' } }, '400 cloud connection "none" was not found'],
    [{ ...asked, name: 'Up' }, /^400 name must be lowercase/],
    [{ mode: 'Server', project: 'shop' }, '400 an object store server belongs to no project'],
    [{ ...asked, draft: true, deploy: true }, '400 set either draft or deploy, not both'],
    [{ ...asked, environment: 'none' }, /^400 .*none/],
  ] as const)
    if (typeof sentence === 'string') assert.is(said(await send('POST', path, body)), sentence);
    else assert.match(said(await send('POST', path, body)), sentence);
  assert.is(store(), undefined);
  assert.is((await send('POST', path, asked)).status, 201);
  assert.is(said(await send('POST', path, asked)), '409 object store "files" already exists');
  assert.is(said(await send('POST', `${path}/none/deploy`, {})), '404 object store "none" was not found');
  assert.is(said(await send('PATCH', `${path}/files`, { bucket: 'core-other' })), '400 unknown field "bucket"');
});

spec('a deletion requires the name, and a server in use is refused', async () => {
  assert.is((await send('POST', path, { name: 'store', mode: 'Server', deploy: true })).status, 201);
  assert.is((await send('POST', path, { ...bucket, serverRef: { name: 'store' } })).status, 201);
  assert.is(said(await send('DELETE', `${path}/store`)), '400 confirmName must be the name of the bucket');
  assert.is(
    said(await send('DELETE', `${path}/store?confirmName=store`)),
    '409 the object store server is used by files',
  );
  const mistaken = { ...bucket, name: 'mistaken', serverRef: { name: 'files' } };
  assert.is((await send('POST', path, mistaken)).status, 201);
  const gone = await send('DELETE', `${path}/files?confirmName=files`);
  assert.equal(gone.json(), { name: 'files', kind: 'CoreObjectStore', deleted: true });
  await until(() => store() === undefined, 'the bucket is deleted');
  assert.is((await send('DELETE', `${path}/store?confirmName=store`)).status, 200);
});

spec('a viewer reads no bucket name, endpoint or Secret and changes nothing', async () => {
  await send('POST', path, { ...asked, deploy: true });
  await until(() => isReady(), 'the bucket is ready');
  const { token } = await served.makeToken({ name: 'v', role: 'viewer' });
  const asViewer = (at: string, method = 'GET') =>
    served.ask(at, { method, headers: { authorization: `Bearer ${token}`, cookie: '' } });
  const named = store()?.status?.bucket ?? 'no bucket';
  for (const at of [path, `${path}/files`, '/api/v1/bootstrap', `${path}/files/explain`]) {
    const { status, text } = await asViewer(at);
    assert.is(status, 200, at);
    for (const word of [named, 'cloud.test', 'files-bucket-keys']) assert.not(text.includes(word), `${at}: ${word}`);
  }
  assert.is((await asViewer(`${path}/files?confirmName=files`, 'DELETE')).status, 403);
});

spec.run();
