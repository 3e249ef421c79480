import * as assert from 'uvu/assert';
import type { CoreApp } from '../../../crds/coreApp.ts';
import { buildLabels } from '../../../rules/build/build.ts';
import type { Items, PodItem, Read, StatusItem, Summary } from '../../../http/api.ts';
import { workloadPods } from '../../../runtime/controllers/capacity.ts';
import { apps, builds } from '../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import { suite } from '../../support/suite.ts';
import { userBuild } from '../../support/environment.ts';
import { until } from '../../support/until.ts';
import type { Served } from '../served.ts';
import { type Asking, asking, image, placed, refusalOf, serveShop } from './given.ts';

const spec = suite('reads of services over REST');
let served: Served;
let the: Asking;
spec.before.each(async () => {
  served = await serveShop();
  the = asking(served);
});
spec.after.each(() => served.stop());

const missing = '404 service "none" was not found';
const at = '2026-01-01T00:00:00.000Z';

/** Writes a status as the operator does, over a service that no pass looks at any more. */
async function stand(status: NonNullable<CoreApp['status']>): Promise<void> {
  await the.pause();
  const app = the.stored();
  if (!app) throw new Error('no service');
  const written = served.world.cluster.put(apps, { ...app, status: { ...app.status, ...status } });
  const version = Number(written.metadata.resourceVersion);
  await until(
    () => Number(served.operator.caches.get(apps, 'web')?.metadata.resourceVersion) >= version,
    'it is cached',
  );
}
const ready = (status: 'True' | 'False', reason: string, message: string) => ({
  conditions: [{ type: 'Ready', status, reason, message, lastTransitionTime: at }],
});

spec('API-004 CLI-025 services are listed by name, filtered by project and environment', async () => {
  await the.create({ name: 'web' });
  await the.create({ name: 'api', environment: 'testing' });
  const names = async (query: string) =>
    (await the.read<Items<Summary>>(`/apps${query}`)).items.map(({ name }) => name);
  assert.equal(await names(''), ['api', 'web']);
  assert.equal(await names('?project=shop'), ['api', 'web']);
  assert.equal(await names('?environment=testing'), ['api']);
  assert.equal(await names('?project=shop&environment=production'), ['web']);
  for (const query of ['?project=none', '?environment=none', '?project=none&environment=testing'])
    assert.equal(await names(query), [], query);
  assert.equal(await names('?strange=1'), ['api', 'web']);
  assert.is(refusalOf(await served.ask('/api/v1/apps?project=a&project=b')), '400 project is given more than once');
});

spec('API-005 CLI-126 CLI-129 KND-024 a service is read with its summary, spec and status', async () => {
  await the.deployed({ port: 3000 });
  await the.patch({ scaleToZero: 'on', idleSeconds: 300, host: 'shop.example.com' });
  const { resource, spec: told, status } = await the.read<Read>('/apps/web');
  assert.equal(
    [resource.kind, resource.name, resource.project, resource.url],
    ['CoreApp', 'web', 'shop', 'https://shop.example.com'],
  );
  const { scaleToZero, ...details } = resource.details;
  assert.equal(details, {
    source: 'image',
    image,
    repository: '',
    branch: '',
    runtime: '',
    mode: '',
    port: 3000,
    replicas: 1,
    autoscaling: null,
    host: 'shop.example.com',
    pending: [],
    appliesAtOnce: false,
    reason: 'ReconcileError',
    currentBuild: '',
    resolvedImage: image,
  });
  const { idleSeconds, maxReplicas } = scaleToZero as NonNullable<StatusItem['scaleToZero']>;
  assert.equal([idleSeconds, maxReplicas], [300, null]);
  assert.equal([told['port'], status['url']], [3000, 'https://shop.example.com']);
  assert.is(refusalOf(await served.ask('/api/v1/apps/none')), missing);
});

spec('API-017 CLI-138 CLI-139 CLI-142 the status contains the state, copies and last attempt', async () => {
  await the.deployed();
  await until(() => served.world.cluster.all(owned.deployments).length > 0, 'the Deployment exists');
  const [deployment] = served.world.cluster.all(owned.deployments);
  if (!deployment) throw new Error('no Deployment');
  served.world.cluster.put(owned.deployments, {
    ...deployment,
    status: { readyReplicas: 1, availableReplicas: 1 },
  } as typeof deployment);
  const errors = [{ recordedAt: at, message: 'it broke' }];
  const afterwards = { reason: 'CrashLoop', message: 'Succeeded, then crashed: exit code 1', at, count: 3 };
  const attempt = {
    id: 'a1',
    startedAt: at,
    completedAt: at,
    phase: 'Failed',
    summary: 'given up',
    errors,
    afterwards,
  };
  await stand({
    ...ready('False', 'ProvisionFailed', 'Provisioning failed'),
    provision: { provisionAttempts: [attempt] },
  } as never);
  await until(async () => (await the.status()).replicas?.ready === 1, 'the copies are counted');
  const { message, ...told } = await the.status();
  assert.ok(message);
  assert.equal(told, {
    name: 'web',
    ...placed,
    state: 'failed',
    url: '',
    ready: false,
    pendingChanges: false,
    appliesAtOnce: false,
    sleeping: false,
    replicas: { desired: 1, ready: 1, available: 1 },
    scaleToZero: null,
    build: null,
    lastAttempt: attempt,
    cause: null,
  });
  assert.is(refusalOf(await served.ask('/api/v1/apps/none/status')), missing);
});

spec('CLI-135 CLI-154 a draft has no copies, and a service is ready when its deploy was processed', async () => {
  await the.create();
  const draft = await the.status();
  assert.equal([draft.state, draft.replicas, draft.pendingChanges, draft.lastAttempt], ['draft', null, true, null]);
  await the.deployed({ name: 'api' });
  assert.equal([(await the.status('api')).ready, (await the.status('api')).state], [false, 'pending']);
  await the.post('/apps/web/deploy');
  await until(
    () => served.operator.caches.get(apps, 'web')?.status?.deployRevision !== undefined,
    'the deploy is processed',
  );
  await stand(ready('True', 'ServiceReady', 'Service is running'));
  const { state, ready: isReady, message } = await the.status();
  assert.equal([state, isReady, message], ['ready', true, 'Service is running']);
});

spec(
  'BLD-127 CLI-136 CLI-141 CLI-156 the status of a repository contains the phase and failure of the current build',
  async () => {
    const repository = 'demo/shop';
    await the.create({ image: undefined, repository });
    assert.is((await the.status()).build, null);
    const made = userBuild(
      'web-1',
      { app: 'web', project: 'shop' },
      {
        phase: 'Failed',
        failureReason: 'it does not compile',
        sourceRevision: 'a'.repeat(40),
        startedAt: at,
        completedAt: at,
        logRef: 'pod-log://x/builder',
      },
    );
    served.world.cluster.put(builds, { ...made, metadata: { ...made.metadata, labels: buildLabels(made.spec) } });
    await until(() => served.operator.caches.get(builds, 'web-1'), 'the build is cached');
    await stand({ currentBuild: 'web-1' });
    const { build, state } = await the.status();
    assert.equal([build?.name, build?.phase, build?.failureReason], ['web-1', 'Failed', 'it does not compile']);
    assert.equal([build?.sourceRevision, build?.ciState, build?.startedAt], ['a'.repeat(40), '', at]);
    assert.is(state, 'draft', 'a failed build does not make the service failed');
  },
);

spec('AUT-036 pods are listed for observers and admins with the reason of a waiting container', async () => {
  await the.deployed();
  await until(() => served.world.cluster.all(owned.deployments).length > 0, 'the Deployment exists');
  const [deployment] = served.world.cluster.all(owned.deployments);
  served.world.cluster.put(workloadPods, {
    metadata: { name: 'web-1', namespace: 'shop-production', labels: deployment?.metadata.labels ?? {} },
    spec: { nodeName: 'one' },
    status: {
      phase: 'Pending',
      startTime: at,
      conditions: [{ type: 'Ready', status: 'False' }],
      containerStatuses: [
        { name: 'app', ready: false, restartCount: 3, state: { waiting: { reason: 'ErrImagePull' } } },
      ],
    },
  } as never);
  await until(async () => (await the.read<Items<PodItem>>('/apps/web/pods')).items.length > 0, 'the pod is cached');
  const { items } = await the.read<Items<PodItem>>('/apps/web/pods');
  const containers = [{ name: 'app', ready: false, state: 'waiting', reason: 'ErrImagePull' }];
  assert.equal(items, [
    { name: 'web-1', phase: 'Pending', ready: false, restarts: 3, node: 'one', containers, startedAt: at },
  ]);
  const asked = async (role: string) =>
    served.askAs((await served.makeToken({ name: role, role })).token, '/api/v1/apps/web/pods');
  assert.is((await asked('observer')).status, 200);
  assert.is(refusalOf(await asked('viewer')), '403 your role reads no logs');
  assert.is(refusalOf(await served.ask('/api/v1/apps/none/pods')), missing);
});

spec(
  'decision 12 AUT-033 image, repository and host are hidden from roles, and the public address is shown',
  async () => {
    await the.deployed();
    await the.patch({ host: 'shop.example.com' });
    await the.create({ name: 'git', image: undefined, repository: 'acme/hush' });
    for (const role of ['viewer', 'observer']) {
      const { token } = await served.makeToken({ name: role, role });
      const read = async (path: string) => (await served.askAs(token, `/api/v1${path}`)).text;
      const { resource, spec: told } = JSON.parse(await read('/apps/web')) as Read;
      assert.equal(
        [resource.url, resource.details['host'], resource.details['image']],
        ['https://shop.example.com', '', ''],
      );
      assert.equal([resource.details['resolvedImage'], told['networking']], ['', {}], role);
      assert.not.match(await read('/apps'), 'acme');
      assert.not.match(await read('/apps/git/status'), 'acme');
    }
  },
);

spec(
  'AUT-074 API-034 CLI-259 a project token reads only its environment, and other services as not found',
  async () => {
    await the.create();
    await the.create({ name: 'api', environment: 'testing' });
    const own = { name: 'own', role: undefined, project: 'shop', environment: 'production' };
    const { token } = await served.makeToken(own);
    const names = async (query: string) =>
      ((await served.askAs(token, `/api/v1/apps${query}`)).json() as Items<Summary>).items.map(({ name }) => name);
    assert.equal([await names(''), await names('?environment=testing')], [['web'], []]);
    for (const path of ['', '/status', '/changes', '/deployments', '/variables']) {
      assert.is((await served.askAs(token, `/api/v1/apps/web${path}`)).status, 200, path);
      assert.is(refusalOf(await served.askAs(token, `/api/v1/apps/api${path}`)), '404 service "api" was not found');
    }
    const post = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const acts: readonly (readonly [string, object])[] = [
      ['deploy', {}],
      ['scale', { replicas: 1 }],
      ['rollback', { revision: 'x' }],
      ['config/set', { key: 'A', value: '' }],
      ['secrets/delete', { key: 'A' }],
    ];
    for (const [act, body] of acts)
      assert.is(
        refusalOf(await served.askAs(token, `/api/v1/apps/api/${act}`, { ...post, body: JSON.stringify(body) })),
        '404 service "api" was not found',
        act,
      );
  },
);

spec('every machine of a service is explained and traced under the path of the service', async () => {
  await the.create();
  const { items } = await the.read<Items<{ readonly machine: string; readonly state: string }>>('/apps/web/explain');
  assert.equal(
    items.map(({ machine }) => machine),
    ['draftDeploy', 'provisionRetry', 'service'],
  );
  await until(() => the.stored()?.status?.phase === 'Draft', 'a pass processes the draft');
  const { items: moves } = await the.read<Items<{ readonly machine: string }>>('/apps/web/transitions');
  assert.ok(moves.some(({ machine }) => machine === 'draftDeploy'));
  assert.is((await the.post('/apps/web/reconcile')).status, 200);
  for (const path of ['explain', 'transitions'])
    assert.is(refusalOf(await served.ask(`/api/v1/apps/none/${path}`)), missing);
  assert.is(refusalOf(await the.post('/apps/none/reconcile')), missing);
});

spec.run();
