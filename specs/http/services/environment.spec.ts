import * as assert from 'uvu/assert';
import { withDefaults } from '../../../crds/defaults.ts';
import { coreDatabase } from '../../../crds/coreDatabase.ts';
import type { Change, EnvironmentDeployed, Items, Read } from '../../../http/api.ts';
import { databases } from '../../../runtime/services/cluster/kinds.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import type { Served } from '../served.ts';
import { annotationOf, type Asking, asking, placed, refusalOf, savedOf, serveShop } from './given.ts';

const spec = suite('deploy of an environment over REST');
let served: Served;
let the: Asking;
spec.before.each(async () => {
  served = await serveShop();
  the = asking(served);
});
spec.after.each(() => served.stop());

const deploy = async (environment = 'production') =>
  (await the.post('/projects/shop/deploy', { environment })).json() as EnvironmentDeployed;
const database = (name: string) => served.world.cluster.all(databases).find(({ metadata }) => metadata.name === name);

spec(
  'API-019 CLI-031 drafts and pending changes of services and databases are deployed, and nothing else',
  async () => {
    await the.create({ name: 'draft' });
    await the.deployed({ name: 'changed' });
    await the.patch({ port: 3000 }, 'changed');
    await the.deployed({ name: 'still' });
    await the.create({ name: 'elsewhere', environment: 'testing' });
    await the.post('/databases', { project: 'shop', environment: 'production', name: 'orders', engine: 'SQLite' });
    const still = annotationOf(the.stored('still'), 'deployRevision');
    const told = await deploy();
    assert.equal(
      { ...told, deployed: [...told.deployed].toSorted() },
      { project: 'shop', environment: 'production', deployed: ['changed', 'draft', 'orders'], refused: [] },
    );
    assert.equal([the.stored('draft')?.spec.deploy.enabled, database('orders')?.spec.deploy.enabled], [true, true]);
    assert.equal(
      [annotationOf(the.stored('changed'), 'pendingChanges'), the.stored('changed')?.spec.port],
      [undefined, 3000],
    );
    assert.match(annotationOf(the.stored('draft'), 'deployRevision') ?? '', /^draft-[a-z0-9]{5}$/, 'it has a record');
    assert.is(annotationOf(the.stored('still'), 'deployRevision'), still);
    assert.is(the.stored('elsewhere')?.spec.deploy.enabled, false);
    assert.equal((await deploy()).deployed, [], 'nothing is waiting');
  },
);

spec('API-019 a waiting bucket is deployed with its environment', async () => {
  const path = '/object-stores/files';
  await the.post('/object-stores', { ...placed, name: 'files', mode: 'Bucket', serverRef: { name: 'store' } });
  assert.equal((await deploy()).deployed, ['files']);
  assert.equal(await the.read<Items<Change>>(`${path}/changes`), { items: [] });
  assert.is((await the.read<Read>(path)).resource.state, 'pending');
});

spec('KND-051 a resource without room is reported beside the deployed ones and not saved', async () => {
  await the.create({ name: 'small' });
  await the.create({ name: 'large' });
  await the.patch({ resources: { requests: { cpu: '2' } } }, 'large');
  await the.fill();
  const before = savedOf(the.stored('large'));
  const { deployed, refused } = await deploy();
  assert.equal(deployed, ['small']);
  assert.equal(
    refused.map(({ kind, name }) => [kind, name]),
    [['CoreApp', 'large']],
  );
  assert.match(refused[0]?.error ?? '', /^cannot be scheduled: this service needs about 2 CPU/);
  assert.is(savedOf(the.stored('large')), before);
});

spec('a deploy of an unknown project or environment is refused', async () => {
  await the.create();
  const asked = async (path: string, body: object) => refusalOf(await the.post(path, body));
  assert.is(await asked('/projects/none/deploy', { environment: 'production' }), '404 there is no project "none"');
  assert.is(await asked('/projects/shop/deploy', { environment: 'qa' }), '400 project "shop" has no qa environment');
  assert.is(await asked('/projects/shop/deploy', {}), '400 environment is required');
  assert.is(the.stored()?.spec.deploy.enabled, false);
});

spec('AUT-076 only an admin deploys an environment', async () => {
  await the.create();
  const headers = { 'content-type': 'application/json' };
  const asked = { method: 'POST', headers, body: JSON.stringify({ environment: 'production' }) };
  for (const [fields, message] of [
    [{ role: undefined, project: 'shop', environment: 'production' }, 'a project token cannot do this'],
    [{ role: 'observer' }, 'your role changes nothing'],
  ] as const) {
    const { token } = await served.makeToken({ name: message, ...fields });
    assert.is(refusalOf(await served.askAs(token, '/api/v1/projects/shop/deploy', asked)), `403 ${message}`);
  }
  assert.is(the.stored()?.spec.deploy.enabled, false);
});

spec('a database shared by the platform belongs to no environment', async () => {
  const shared = { engine: 'SQLite', deploy: { enabled: false } } as const;
  served.world.cluster.put(databases, {
    metadata: { name: 'shared', namespace: 'core-system', annotations: { 'core.platform/deploy-workflow': 'true' } },
    spec: withDefaults(coreDatabase.spec, shared),
  });
  await until(() => served.operator.caches.get(databases, 'shared'), 'it is cached');
  assert.equal(await deploy(), { project: 'shop', environment: 'production', deployed: [], refused: [] });
});

spec.run();
