import { Context, Effect } from 'effect';
import * as assert from 'uvu/assert';
import { coreApp } from '../../crds/coreApp.ts';
import { coreProject } from '../../crds/coreProject.ts';
import { type Kind, type KubeObject, typeMeta } from '../../crds/kind.ts';
import { annotation, label, managedBy } from '../../crds/names.ts';
import { apps, cloudConnections, projects } from '../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { Unavailable, Cluster, type Resource } from '../../runtime/services/cluster/cluster.ts';
import { putConnection } from '../support/cloud/objects.ts';
import { inSystem, putCluster, putProject } from '../support/project.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import type { TestEnvironment } from '../support/environment.ts';
import { app, serve, type Served } from './served.ts';

const spec = suite('Secrets of an object');
let served: Served;
/** Whether the API answers where the keys of a connection are written. */
let answers = true;

/** The API is away for the Secret of a connection alone. */
const withoutKeys = (services: TestEnvironment['services']) => {
  const cluster = Context.get(services, Cluster);
  const create: typeof cluster.create = (resource, object) =>
    answers || object.metadata.name !== 'aws-cloud-keys'
      ? cluster.create(resource, object)
      : Effect.fail(new Unavailable({ message: 'gone' }));
  return Context.add(services, Cluster, { ...cluster, create });
};

spec.before.each(async () => {
  answers = true;
  served = await serve({}, {}, withoutKeys);
  putCluster(served.world);
  putProject(served.world);
  await until(() => served.operator.caches.get(projects, 'shop')?.status?.phase === 'ProjectReady', 'it is ready');
});
spec.after.each(() => served.stop());

const path = '/api/v1/projects/shop/cloud-connections';
const asked = { name: 'aws', provider: 'Cloud', accessKeyId: 'AKIA', secretAccessKey: 'secret' };
const send = async (method: string, at: string, body?: object) => {
  const headers = { 'content-type': 'application/json' };
  const { status, text } = await served.ask(at, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return status < 300 ? status : `${status} ${(JSON.parse(text) as { readonly error: string }).error}`;
};
const find = <O extends KubeObject>(resource: Resource<O>, name: string) =>
  served.world.cluster.all(resource).find(({ metadata }) => metadata.name === name);
const ownersOf = (secret: string) => find(secrets, secret)?.metadata.ownerReferences?.map(({ uid }) => uid);
const uidOf = (resource: Resource, name: string) => find(resource, name)?.metadata.uid;
const paused = { [annotation.paused]: 'true' };
const earlier = (kind: Kind, name: string) => ({ ...typeMeta(kind), name, uid: 'earlier' });
/** Kubectl connects one more, by this Secret. */
async function connect(name: string, secret: string) {
  putConnection(served.world, { secretRef: { name: secret } }, name);
  await until(() => served.operator.caches.get(cloudConnections, name), 'it is cached');
}

spec('PRJ-101 a Secret of an earlier project of the same name is owned by the new project after a save', async () => {
  const { cluster } = served.world;
  // No pass of the project makes it the owner.
  await Effect.runPromise(cluster.patch(projects, { name: 'shop' }, { metadata: { annotations: paused } }));
  await until(() => served.operator.caches.get(projects, 'shop')?.metadata.annotations?.[annotation.paused], 'cached');
  cluster.collects(false);
  for (const name of ['shop-webhooks', 'shop-shared-secrets'])
    cluster.put(secrets, {
      metadata: { ...inSystem(name), ownerReferences: [earlier(coreProject, 'shop')] },
      data: {},
    });
  const webhook = { url: 'https://example.org/hook', events: ['deployment.succeeded'] };
  assert.is(await send('POST', '/api/v1/projects/shop/webhooks', webhook), 201);
  const variable = { environment: 'production', name: 'TOKEN', value: 'one', secret: true };
  assert.is(await send('POST', '/api/v1/projects/shop/variables/set', variable), 200);
  cluster.collects(true);
  for (const name of ['shop-webhooks', 'shop-shared-secrets'])
    assert.equal(ownersOf(name), [uidOf(projects, 'shop')], name);
});

spec('a variables Secret of an earlier service of the same name is owned by the new service after a save', async () => {
  const { cluster } = served.world;
  const { caches } = served.operator;
  const placed = { project: 'shop', environment: 'production' };
  const service = app('web', { ...placed, source: { image: 'registry.local/ready-made' } });
  // No pass of the service makes it the owner.
  cluster.put(apps, { ...service, metadata: { ...service.metadata, annotations: paused } });
  cluster.collects(false);
  const labels = { [label.managedBy]: managedBy, [label.project]: 'shop' };
  const left = { ...inSystem('web-variables'), labels, ownerReferences: [earlier(coreApp, 'web')] };
  cluster.put(secrets, { metadata: left, data: {} });
  await until(() => caches.get(apps, 'web') && caches.get(secrets, 'web-variables'), 'they are cached');
  assert.is(await send('POST', '/api/v1/apps/web/secrets/set', { key: 'TOKEN', value: 'one' }), 200);
  cluster.collects(true);
  assert.equal(ownersOf('web-variables'), [uidOf(apps, 'web')]);
});

spec('the keys Secret of a connection is owned by the connection from its first write', async () => {
  served.world.cluster.lag(secrets, true);
  assert.is(await send('POST', path, asked), 201);
  assert.equal(ownersOf('aws-cloud-keys'), [uidOf(cloudConnections, 'aws')]);
  await connect('other', 'elsewhere');
  assert.is(await send('PATCH', `${path}/other`, { secretAccessKey: 'two' }), 200);
  assert.equal(ownersOf('elsewhere'), [uidOf(cloudConnections, 'other')]);
  served.world.cluster.lag(secrets, false);
});

spec(
  'a refused connection leaves neither object nor Secret when its name exists or its keys cannot be written',
  async () => {
    served.world.cluster.lag(cloudConnections, true);
    putConnection(served.world, { project: 'bank' });
    assert.is(await send('POST', path, asked), '409 cloud connection "aws" already exists');
    assert.is(find(secrets, 'aws-cloud-keys'), undefined);
    assert.is(find(cloudConnections, 'aws')?.spec.project, 'bank');
    served.world.cluster.drop(cloudConnections, 'aws');
    served.world.cluster.lag(cloudConnections, false);
    await until(() => !served.operator.caches.get(cloudConnections, 'aws'), 'the connection is deleted');
    answers = false;
    assert.match(String(await send('POST', path, asked)), /^503 /);
    assert.is(find(cloudConnections, 'aws'), undefined);
  },
);

spec('a change of a connection with refused keys changes no other setting', async () => {
  served.world.cluster.put(secrets, { metadata: inSystem('by-hand'), data: {} });
  await connect('aws', 'by-hand');
  assert.is(
    await send('PATCH', `${path}/aws`, { region: 'us-west-2', secretAccessKey: 'two' }),
    '409 Secret "by-hand" was not made by Core: change it by hand',
  );
  assert.is(find(cloudConnections, 'aws')?.spec.region, 'eu-central-1');
});

spec('a keys Secret used by two connections is kept until both are deleted', async () => {
  assert.is(await send('POST', path, asked), 201);
  await connect('second', 'aws-cloud-keys');
  const second = uidOf(cloudConnections, 'second');
  await until(() => ownersOf('aws-cloud-keys')?.some((uid) => uid === second), 'a pass has made it an owner too');
  assert.is(await send('DELETE', `${path}/aws`), 200);
  assert.ok(find(secrets, 'aws-cloud-keys'));
  assert.is(await send('DELETE', `${path}/second`), 200);
  assert.is(find(secrets, 'aws-cloud-keys'), undefined);
});

spec.run();
