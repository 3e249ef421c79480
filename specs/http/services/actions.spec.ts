import * as assert from 'uvu/assert';
import type { Deleted, Deployed, Deployment, Done, Items, Scaled } from '../../../http/api.ts';
import { deployments, apps } from '../../../runtime/services/cluster/kinds.ts';
import { label, systemNamespace } from '../../../crds/names.ts';
import type { CoreDeployment } from '../../../crds/coreDeployment.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import type { Served } from '../served.ts';
import { annotationOf, type Asking, asking, movesOf, placed, refusalOf, savedOf, serveShop } from './given.ts';

const spec = suite('service actions over REST');
let served: Served;
let the: Asking;
spec.before.each(async () => {
  served = await serveShop();
  the = asking(served);
});
spec.after.each(() => served.stop());

const missing = '404 service "none" was not found';

/** Asks, and tells that nothing of the service changed. */
async function refused(path: string, body: object = {}): Promise<string> {
  const before = the.stored();
  const said = refusalOf(await the.post(path, body));
  assert.is(savedOf(the.stored()), savedOf(before), `${path}: ${said}`);
  return said;
}

/** A record of a service as the operator leaves it; of a number of copies where one is given. */
async function record(name: string, app: string, { replicas, startedAt }: { replicas?: number; startedAt?: string }) {
  const labelled = { [label.app]: app, [label.project]: 'shop', [label.environment]: 'production' };
  served.world.cluster.put<CoreDeployment>(deployments, {
    metadata: { name, namespace: systemNamespace, labels: name.endsWith('-active') ? {} : labelled },
    spec: { app, ...placed, image: `registry.local/shop/web:${name}`, ...(replicas === undefined ? {} : { replicas }) },
    status: { phase: 'Recorded', ...(startedAt === undefined ? {} : { startedAt, completedAt: startedAt }) },
  });
  await until(() => served.operator.caches.get(deployments, name), `${name} is cached`);
}

spec(
  'API-018 DEP-007 KND-028 KND-050 KND-054 a deploy enables the service, takes the snapshot and returns its record',
  async () => {
    await the.create();
    await the.patch({ port: 3000 });
    assert.is(annotationOf(the.stored(), 'pendingUpdates'), '1');
    const { status, text } = await the.post('/apps/web/deploy');
    assert.is(status, 200, text);
    const { deployment, ...told } = JSON.parse(text) as Deployed;
    assert.equal(told, { name: 'web', kind: 'CoreApp', deployed: true, state: 'pending' });
    assert.match(deployment, /^web-[a-z0-9]{5}$/);
    const app = the.stored();
    assert.is(annotationOf(app, 'deployRevision'), deployment);
    assert.equal([annotationOf(app, 'pendingChanges'), annotationOf(app, 'pendingUpdates')], [undefined, undefined]);
    assert.equal(JSON.parse(annotationOf(app, 'lastDeployed') ?? '{}'), app?.spec);
    assert.equal(movesOf(app).at(-1), ['Draft', 'deployed', 'Deployed', 'admin']);
  },
);

spec('CLI-161 KND-055 a deploy without a change gets a new revision so that pods restart', async () => {
  await the.deployed();
  const before = annotationOf(the.stored(), 'deployRevision');
  const { deployment } = (await the.post('/apps/web/deploy')).json() as Deployed;
  assert.is.not(deployment, before);
  assert.is(annotationOf(the.stored(), 'deployRevision'), deployment);
  assert.equal(movesOf(the.stored()).at(-1), ['Deployed', 'redeployed', 'Deployed', 'admin']);
});

spec('KND-051 a deploy without room is refused and not saved', async () => {
  await the.create();
  await the.patch({ resources: { requests: { cpu: '1', memory: '256Mi' } } });
  await the.fill();
  assert.match(
    await refused('/apps/web/deploy'),
    /^409 cannot be scheduled: this service needs about 1 CPU and .+ The cluster/,
  );
  assert.is(the.stored()?.spec.deploy.enabled, false);
  assert.is(await refused('/apps/none/deploy'), missing);
});

spec('CLI-154 a deploy is pending until the operator processed its revision', async () => {
  await the.create();
  await the.pause();
  const { state } = (await the.post('/apps/web/deploy')).json() as Deployed;
  const told = await the.status();
  assert.equal([state, told.state, told.ready, told.pendingChanges], ['pending', 'pending', false, false]);
});

spec(
  'API-028 CLI-207 KND-034 the number of copies changes at once, without a deploy, pending mark or record',
  async () => {
    await the.deployed();
    const before = annotationOf(the.stored(), 'deployRevision');
    const { status, text } = await the.post('/apps/web/scale', { replicas: 3 });
    assert.equal([status, JSON.parse(text) as Scaled], [200, { name: 'web', replicas: 3, state: 'pending' }]);
    const app = the.stored();
    assert.is(app?.spec.replicas, 3);
    assert.equal([annotationOf(app, 'pendingChanges'), annotationOf(app, 'deployRevision')], [undefined, before]);
    assert.equal(movesOf(app).at(-1), ['Deployed', 'atOnceSaved', 'Deployed', 'admin']);
    assert.is((await the.post('/apps/web/scale', { replicas: 0 })).status, 200);
    assert.is((await the.post('/apps/web/scale', { replicas: 1000 })).status, 200);
  },
);

spec('CLI-194 API-035 a number of copies outside 0 to 1000 is refused', async () => {
  await the.deployed();
  const message = '400 replicas must be a whole number from 0 to 1000';
  for (const body of [{ replicas: -1 }, { replicas: 1001 }, { replicas: 1.5 }, { replicas: 'three' }, {}])
    assert.is(await refused('/apps/web/scale', body), message, JSON.stringify(body));
  assert.is(await refused('/apps/none/scale', { replicas: 1 }), missing);
});

spec(
  'API-020 CLI-163 CLI-165 deployment records are listed newest first, without the active one and those of other services',
  async () => {
    await the.deployed();
    const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
    await record('web-bbbbb', 'web', { startedAt: at(2) });
    await record('web-aaaaa', 'web', { startedAt: at(2) });
    await record('web-ccccc', 'web', { startedAt: at(1) });
    await record('web-active', 'web', {});
    await record('api-ddddd', 'api', { startedAt: at(3) });
    const { items } = await the.read<Items<Deployment>>('/apps/web/deployments');
    assert.equal(
      items.filter(({ id }) => /^web-(aaaaa|bbbbb|ccccc|active)$/.test(id) || id.startsWith('api')).map(({ id }) => id),
      ['web-bbbbb', 'web-aaaaa', 'web-ccccc'],
    );
    const { createdAt, ...oldest } = items.at(-1) ?? { createdAt: '' };
    assert.ok(createdAt);
    assert.equal(oldest, {
      id: 'web-ccccc',
      phase: 'Recorded',
      image: 'registry.local/shop/web:web-ccccc',
      commit: '',
      trigger: '',
      actor: '',
      changeTitle: '',
      startedAt: at(1),
      completedAt: at(1),
      verdict: null,
    });
    assert.is(items[0]?.verdict, 'running');
    assert.is(refusalOf(await served.ask('/api/v1/apps/none/deployments')), missing);
  },
);

spec('API-030 CLI-213 a rollback deploys the image and copies of a record', async () => {
  await the.deployed({ port: 3000 });
  await record('web-aaaaa', 'web', { replicas: 4 });
  const { status, text } = await the.post('/apps/web/rollback', { revision: 'web-aaaaa' });
  assert.is(status, 200, text);
  const { deployment, note, state } = JSON.parse(text) as Deployed;
  assert.equal([note, state], ['image and replicas of web-aaaaa deployed', 'pending']);
  const app = the.stored();
  assert.equal(app?.spec.source, { image: 'registry.local/shop/web:web-aaaaa' });
  assert.equal([app?.spec.replicas, app?.spec.port], [4, 3000]);
  assert.is(annotationOf(app, 'deployRevision'), deployment);
  assert.equal(JSON.parse(annotationOf(app, 'lastDeployed') ?? '{}'), app?.spec);
});

spec('API-030 the history names the record of a rollback from each state, and none for a deploy', async () => {
  await the.deployed();
  await record('web-aaaaa', 'web', { replicas: 1 });
  const newest = () =>
    the
      .stored()
      ?.status?.history?.filter(({ machine }) => machine === 'draftDeploy')
      .at(-1);
  const told = async (path: string, body = {}) => {
    assert.is((await the.post(path, body)).status, 200);
    return [newest()?.event, newest()?.text];
  };
  const back = { revision: 'web-aaaaa' };
  assert.equal(await told('/apps/web/rollback', back), ['redeployed', 'rolled back to web-aaaaa']);
  await the.post('/apps/web/config/set', { key: 'A', value: 'x' });
  assert.equal(await told('/apps/web/rollback', back), ['deployed', 'rolled back to web-aaaaa']);
  assert.equal(await told('/apps/web/deploy'), ['redeployed', 'redeployed to restart its pods']);
});

spec(
  'API-030 DEP-065 decision 53 copies absent from a record are kept, also when the rollback is sent as a form',
  async () => {
    await the.deployed();
    await the.post('/apps/web/scale', { replicas: 2 });
    await record('web-aaaaa', 'web', {});
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const asked = { method: 'POST', headers, body: 'revision=web-aaaaa' };
    assert.is((await served.ask('/api/apps/web/rollback', asked)).status, 200);
    assert.is(the.stored()?.spec.replicas, 2);
  },
);

spec('CLI-211 a rollback of a repository service restores only the copies', async () => {
  await the.create({ name: 'git', image: undefined, repository: 'demo/shop' });
  await record('git-aaaaa', 'git', { replicas: 4 });
  const { note } = (await the.post('/apps/git/rollback', { revision: 'git-aaaaa' })).json() as Deployed;
  assert.is(note, 'replicas of git-aaaaa deployed; commit and branch stay');
  const { source, replicas } = the.stored('git')?.spec ?? {};
  assert.equal([source?.git?.repository, source?.image, replicas], ['demo/shop', undefined, 4]);
});

spec('CLI-215 API-030 an impossible rollback is refused and changes nothing', async () => {
  await the.deployed();
  const external = '400 deployment revision does not belong to app';
  await record('api-aaaaa', 'api', {});
  await record('web-active', 'web', {});
  for (const body of [
    {},
    { revision: '' },
    { revision: 'none' },
    { revision: 'api-aaaaa' },
    { revision: 'web-active' },
  ])
    assert.is(await refused('/apps/web/rollback', body), external, JSON.stringify(body));
  assert.is(await refused('/apps/none/rollback', { revision: 'x' }), missing);
  await the.create({ name: 'fun', image: undefined, code: 'x' });
  await record('fun-aaaaa', 'fun', {});
  assert.is(
    refusalOf(await the.post('/apps/fun/rollback', { revision: 'fun-aaaaa' })),
    '409 functions cannot be rolled back; restore the earlier code and deploy again',
  );
  await record('web-bbbbb', 'web', {});
  await the.unready();
  assert.match(await refused('/apps/web/rollback', { revision: 'web-bbbbb' }), /^409 cannot be scheduled: /);
});

spec('KND-039 Retry restarts a failed provisioning and is otherwise refused', async () => {
  await the.deployed();
  assert.is(await refused('/apps/web/retry'), '409 there is nothing to retry: it has not been given up');
  assert.is(await refused('/apps/none/retry'), missing);
  await until(() => the.stored()?.status?.phase !== undefined, 'a pass took it up');
  const app = the.stored();
  if (!app) throw new Error('no service');
  const reconcileRetry = {
    gaveUp: true,
    reconcileFailures: 5,
    reconcileFailureGeneration: app.metadata.generation ?? 0,
  };
  served.world.cluster.put(apps, { ...app, status: { ...app.status, phase: 'ProvisionFailed', reconcileRetry } });
  await until(() => served.operator.caches.get(apps, 'web')?.status?.reconcileRetry?.gaveUp, 'it is given up');
  const { status, text } = await the.post('/apps/web/retry');
  assert.equal([status, (JSON.parse(text) as Done).note], [200, 'Retrying provisioning'], text);
  assert.is.not(the.stored()?.status?.reconcileRetry?.gaveUp, true);
});

spec('API-009 a host is removed at once with a deployment record and without a restart', async () => {
  await the.deployed();
  await the.patch({ host: 'shop.example.com' });
  const before = annotationOf(the.stored(), 'deployRevision');
  const { status, text } = await the.post('/apps/web/networking/delete');
  const { deployment, deployed } = JSON.parse(text) as Deployed;
  assert.equal([status, deployed], [200, true]);
  assert.match(deployment, /^web-[a-z0-9]{5}$/);
  assert.is(the.stored()?.spec.networking?.host, undefined);
  assert.is(annotationOf(the.stored(), 'deployRevision'), before, 'no pod restarts');
  assert.is(await refused('/apps/none/networking/delete'), missing);
});

spec('API-032 DB-153 a service is deleted when the request repeats its name', async () => {
  await the.deployed();
  const unconfirmed = '400 confirmName must be the name of the service';
  for (const query of ['', '?confirmName=', '?confirmName=other'])
    assert.is(refusalOf(await the.remove(query)), unconfirmed, query);
  assert.is(the.stored()?.metadata.deletionTimestamp, undefined);
  const { status, text } = await the.remove('?confirmName=web');
  assert.equal([status, JSON.parse(text) as Deleted], [200, { name: 'web', kind: 'CoreApp', deleted: true }]);
  await until(() => the.stored() === undefined, 'the service is deleted');
  await until(() => served.operator.caches.get(apps, 'web') === undefined, 'the deletion is cached');
  assert.is(refusalOf(await the.remove('?confirmName=web')), '404 service "web" was not found');
});

spec('a service under deletion shows its state and refuses commands', async () => {
  await the.deployed();
  await the.pause({ deletionTimestamp: new Date(served.now()).toISOString() });
  assert.is((await the.status()).state, 'deleting');
  assert.is(await refused('/apps/web/deploy'), '409 "web" is being deleted');
  assert.is(await refused('/apps/web/scale', { replicas: 2 }), '409 "web" is being deleted');
});

spec.run();
