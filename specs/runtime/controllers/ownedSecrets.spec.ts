import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import type { OwnerReference } from '../../../crds/kind.ts';
import { label, managedBy } from '../../../crds/names.ts';
import { appController } from '../../../runtime/controllers/app/controller.ts';
import { cloudConnectionController } from '../../../runtime/controllers/cloudConnection/controller.ts';
import { projectController } from '../../../runtime/controllers/project/controller.ts';
import { apps, cloudConnections, everyKind, projects } from '../../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import type { Resource } from '../../../runtime/services/cluster/cluster.ts';
import { putConnection, secretIn } from '../../support/cloud/objects.ts';
import { inSystem, putCluster, putProject } from '../../support/project.ts';
import { putService } from '../../support/service.ts';
import { suite } from '../../support/suite.ts';
import { virtualTime } from '../../support/virtualTime.ts';
import { makeTestEnvironment } from '../../support/environment.ts';

const spec = suite('Secrets that requests write beside an object');

const ofShop = { [label.managedBy]: managedBy, [label.project]: 'shop' };

/** A project with a connection and a service, and the operator over them. */
async function startSession() {
  const time = virtualTime(undefined, undefined, 2_000);
  const controllers = [cloudConnectionController(), projectController(), appController({ gitUrl: '' })];
  const environment = makeTestEnvironment({ now: time.wall, controllers, alsoSeen: everyKind });
  putCluster(environment);
  putProject(environment);
  putConnection(environment, { secretRef: { name: 'aws-cloud-keys' } });
  putService(environment);
  const { crash } = await time.wait(environment.start(undefined, time.over(environment.services)));
  const pass = async (ms: number) => {
    const until = time.now() + ms;
    for (let next = time.next(); next !== undefined && next <= until; next = time.next()) await time.moveTo(next);
    await time.moveTo(until);
  };
  await pass(10_000);
  const uidOf = (resource: Resource, name: string) =>
    environment.cluster.all(resource).find(({ metadata }) => metadata.name === name)?.metadata.uid;
  return {
    environment,
    crash: () => time.wait(crash()),
    pass,
    uidOf,
    put: async (
      name: string,
      labels: Readonly<Record<string, string>> = {},
      owners: readonly OwnerReference[] = [],
    ) => {
      const metadata = { ...inSystem(name), labels, ...(owners.length > 0 && { ownerReferences: owners }) };
      environment.cluster.put(secrets, { metadata, data: {} });
      await pass(1_000);
    },
    ownersOf: (name: string) => secretIn(environment, name)?.metadata.ownerReferences?.map(({ uid }) => uid) ?? [],
    /** Deletes as kubectl does. */
    remove: async (resource: Resource, name: string) => {
      await Effect.runPromise(environment.cluster.remove(resource, { name }));
      await pass(60_000);
    },
    stands: (name: string) => secretIn(environment, name) !== undefined,
  };
}

spec('the keys of a cloud connection are deleted with the connection by kubectl', async () => {
  const { put, ownersOf, uidOf, remove, stands, crash } = await startSession();
  await put('aws-cloud-keys', ofShop);
  assert.equal(ownersOf('aws-cloud-keys'), [uidOf(cloudConnections, 'aws')]);
  await remove(cloudConnections, 'aws');
  assert.not(stands('aws-cloud-keys'));
  await crash();
});

spec('keys that two cloud connections name are deleted with the second connection', async () => {
  const { environment, put, ownersOf, remove, pass, stands, crash } = await startSession();
  await put('aws-cloud-keys', ofShop);
  putConnection(environment, { secretRef: { name: 'aws-cloud-keys' } }, 'second');
  await pass(1_000);
  assert.is(ownersOf('aws-cloud-keys').length, 2);
  await remove(cloudConnections, 'aws');
  assert.ok(stands('aws-cloud-keys'));
  await remove(cloudConnections, 'second');
  assert.not(stands('aws-cloud-keys'));
  await crash();
});

spec('a Secret that no request wrote for its project stays', async () => {
  const { put, ownersOf, remove, stands, environment, pass, crash } = await startSession();
  putConnection(environment, { secretRef: { name: 'core-backup-storage-a' } }, 'other');
  await put('core-backup-storage-a', ofShop);
  await put('aws-cloud-keys');
  await put('hello-variables', { ...ofShop, [label.project]: 'bank' });
  await pass(60_000);
  assert.equal([...ownersOf('core-backup-storage-a'), ...ownersOf('aws-cloud-keys')], []);
  for (const name of ['aws', 'other']) await remove(cloudConnections, name);
  await remove(apps, 'hello');
  for (const name of ['core-backup-storage-a', 'aws-cloud-keys', 'hello-variables']) assert.ok(stands(name), name);
  await crash();
});

spec('the Secrets of variables of a service and its copy are deleted with the service by kubectl', async () => {
  const { put, ownersOf, uidOf, remove, stands, crash } = await startSession();
  await put('hello-variables', { ...ofShop, [label.environment]: 'production' });
  assert.equal(ownersOf('hello-variables'), [uidOf(apps, 'hello')]);
  await remove(apps, 'hello');
  assert.not(stands('hello-variables'));
  await crash();
});

spec(
  'PRJ-101 PRJ-104 the Secrets of a project except the Git token are deleted with the project by kubectl',
  async () => {
    const { put, ownersOf, uidOf, remove, stands, crash } = await startSession();
    const earlier = { apiVersion: 'core.platform/v1alpha1', kind: 'CoreProject', name: 'shop', uid: 'earlier' };
    const another = { apiVersion: 'v1', kind: 'ConfigMap', name: 'shop', uid: uidOf(cloudConnections, 'aws') ?? '' };
    await put('shop-webhooks', {}, [earlier, another]);
    assert.equal(ownersOf('shop-webhooks'), [another.uid, uidOf(projects, 'shop')]);
    await put('shop-shared-secrets');
    await put('shop-git-token');
    assert.equal(ownersOf('shop-shared-secrets'), [uidOf(projects, 'shop')]);
    await remove(cloudConnections, 'aws');
    await remove(apps, 'hello');
    await remove(projects, 'shop');
    assert.is(uidOf(projects, 'shop'), undefined);
    assert.equal(['shop-webhooks', 'shop-shared-secrets', 'shop-git-token'].filter(stands), ['shop-git-token']);
    await crash();
  },
);

spec('PRJ-101 a Secret that is missing in the cache is deleted with its project', async () => {
  const { environment, put, remove, stands, crash } = await startSession();
  await remove(apps, 'hello');
  environment.cluster.lag(secrets, true);
  await put('shop-webhooks');
  await remove(projects, 'shop');
  assert.not(stands('shop-webhooks'));
  await crash();
});

spec.run();
