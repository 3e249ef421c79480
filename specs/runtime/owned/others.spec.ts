import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../crds/kind.ts';
import { annotation, label } from '../../../crds/names.ts';
import { builds } from '../../../runtime/services/cluster/kinds.ts';
import { managersAt } from '../../../runtime/owned/managers.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import { suite } from '../../support/suite.ts';
import { userBuild } from '../../support/environment.ts';
import { configMap, deployment, namespace, ownedHouse } from './house.ts';

const spec = suite('owned objects and other managers');

spec('a change by another manager is reverted by one call', async () => {
  const house = await ownedHouse([namespace, deployment()]);
  await house.ensure();
  await house.edit(owned.deployments, 'web', ['spec', 'replicas'], 5);
  assert.equal(house.diff().stale, ['Deployment shop/web']);
  assert.equal(await house.ensure(), { ensured: 'done', calls: ['apply deployments'] });
  assert.equal(house.value(owned.deployments, 'web', 'spec', 'replicas'), 1);
  assert.equal(await house.ensure(), { ensured: 'holds', calls: [] });
  await house.end();
});

spec('an unmanaged object with the desired name is reported and not changed', async () => {
  const house = await ownedHouse([namespace, configMap({ a: '1' })]);
  house.memory.put(owned.namespaces, { metadata: { name: 'shop' } });
  house.memory.put(owned.configMaps, { metadata: { name: 'settings', namespace: 'shop' }, data: { b: '2' } } as never);
  await house.time.settle();
  const clash = await house.ensure();
  assert.equal(clash, {
    ensured: 'waits',
    afterMs: 60_000,
    calls: ['get namespaces', 'get configmaps', 'apply namespaces', 'apply configmaps'],
  });
  assert.equal(house.diff().unmanaged, [
    'Namespace shop already exists and is not managed by Core',
    'ConfigMap shop/settings already exists and is not managed by Core',
  ]);
  assert.equal((await house.ensure()).calls, []);
  assert.equal(house.value(owned.configMaps, 'settings', 'data'), { b: '2' });
  house.memory.drop(owned.configMaps, 'settings', 'shop');
  await house.later(60_001);
  assert.equal((await house.ensure()).calls, ['get namespaces', 'apply namespaces', 'apply configmaps']);
  assert.equal(house.value(owned.configMaps, 'settings', 'data'), { a: '1' });
  await house.end();
});

spec('a managed object that is missing in the cache is found by AlreadyExists and not written', async () => {
  const house = await ownedHouse([namespace]);
  house.memory.lag(owned.namespaces, true);
  await house.ensure();
  house.restart();
  assert.equal((await house.ensure()).calls, ['get namespaces', 'apply namespaces']);
  assert.ok(house.isInSync());
  assert.equal((await house.ensure()).calls, []);
  await house.end();
});

spec(
  'a managed object that is missing in the cache and differs is found by AlreadyExists and changed at once',
  async () => {
    const house = await ownedHouse([namespace, configMap({ a: '1' })]);
    house.lag(true);
    await house.ensure();
    house.restart();
    house.want([namespace, configMap({ a: '2' })]);
    assert.equal((await house.ensure()).calls, [
      'get namespaces',
      'get configmaps',
      'apply namespaces',
      'apply configmaps',
      'apply configmaps',
    ]);
    assert.equal(house.value(owned.configMaps, 'settings', 'data'), { a: '2' });
    await house.end();
  },
);

spec('entries without a desired value are removed from maps that are owned as a whole', async () => {
  const house = await ownedHouse([namespace, configMap({ a: '1' })]);
  await house.ensure();
  await house.edit(owned.configMaps, 'settings', ['data', 'strange'], 'x');
  assert.equal(house.diff().stale, ['ConfigMap shop/settings']);
  assert.equal((await house.ensure()).calls, ['patch configmaps']);
  assert.equal(house.value(owned.configMaps, 'settings', 'data'), { a: '1' });
  assert.equal(await house.ensure(), { ensured: 'holds', calls: [] });
  await house.end();
});

spec('labels and annotations of other managers stay', async () => {
  const house = await ownedHouse([namespace, deployment()]);
  await house.ensure();
  await house.edit(owned.deployments, 'web', ['metadata', 'annotations', 'example.com/seen'], 'yes');
  assert.equal(await house.ensure(), { ensured: 'holds', calls: [] });
  house.want([namespace, deployment('i:2')]);
  await house.ensure();
  assert.is(house.value(owned.deployments, 'web', 'metadata', 'annotations', 'example.com/seen'), 'yes');
  await house.end();
});

spec(
  'a field that is reverted three times within ten minutes is applied every ten minutes, and the manager is named',
  async () => {
    const house = await ownedHouse([namespace, deployment()]);
    await house.ensure();
    const takeBack = () => house.edit(owned.deployments, 'web', ['spec', 'replicas'], 7);
    for (const _ of [2, 3]) {
      await house.later(1_000);
      await takeBack();
      assert.equal((await house.ensure()).calls, ['apply deployments']);
    }
    assert.equal(house.diff().overwritten, []);
    await house.later(1_000);
    await takeBack();
    assert.equal(await house.ensure(), { ensured: 'waits', afterMs: 599_000, calls: ['get deployments'] });
    assert.equal(house.diff().overwritten, [
      'Deployment shop/web keeps being overwritten by "hand"; it is reapplied every 10 minutes',
    ]);
    await house.later(60_000);
    assert.equal(await house.ensure(), { ensured: 'waits', afterMs: 539_000, calls: [] });
    await house.later(539_000);
    assert.equal((await house.ensure()).calls, ['apply deployments']);
    await takeBack();
    assert.equal(await house.ensure(), { ensured: 'waits', afterMs: 600_000, calls: ['get deployments'] });
    await house.later(600_000);
    await house.ensure();
    assert.equal(await house.ensure(), { ensured: 'waits', afterMs: 600_000, calls: [] });
    await house.later(600_000);
    assert.equal(await house.ensure(), { ensured: 'holds', calls: [] });
    assert.equal(house.diff().overwritten, []);
    await house.end();
  },
);

spec(
  'an object deleted repeatedly is recreated after a pause, and a changed desired state is applied at once',
  async () => {
    const house = await ownedHouse([namespace, configMap({ a: '1' })]);
    for (const _ of [1, 2, 3]) {
      assert.is((await house.ensure()).ensured, 'done');
      assert.is((await house.ensure()).ensured, 'holds');
      house.memory.drop(owned.configMaps, 'settings', 'shop');
      await house.time.settle();
    }
    assert.equal(await house.ensure(), { ensured: 'waits', afterMs: 600_000, calls: ['get configmaps'] });
    assert.match(house.diff().overwritten.join(), /a client that deletes it/);
    house.want([namespace, configMap({ a: '2' })]);
    assert.equal((await house.ensure()).calls, ['apply configmaps']);
    assert.equal(house.diff().overwritten, []);
    await house.end();
  },
);

spec('an object of an earlier owner of the name is reported, and adopted when an annotation says so', async () => {
  const house = await ownedHouse([namespace, configMap({ a: '1' })]);
  await house.ensure();
  const { namespace: _, ...metadata } = house.owner().metadata;
  house.memory.drop(builds, 'owner');
  house.restart();
  const again = house.memory.put(builds, userBuild('owner'));
  await house.time.settle();
  assert.is.not(again.metadata.uid, metadata.uid);
  assert.equal((await house.ensure()).calls, ['get namespaces', 'get configmaps']);
  assert.match(house.diff().unmanaged[0] ?? '', /^Namespace shop was made for another CoreBuild owner; annotate/);
  assert.equal(
    (await house.none()).calls.filter((call) => call.startsWith('remove')),
    [],
  );
  assert.equal(await house.remaining(), []);
  await house.edit(builds, 'owner', ['metadata', 'annotations', annotation.adopt], 'true');
  assert.equal((await house.ensure()).calls, ['apply namespaces', 'apply configmaps']);
  assert.is(
    house.value(owned.configMaps, 'settings', 'metadata', 'annotations', annotation.ownerUid),
    again.metadata.uid,
  );
  assert.ok(house.isInSync());
  await house.end();
});

spec('an object of an earlier owner is no conflict when it is gone, even if the cache still shows it', async () => {
  const house = await ownedHouse([namespace, configMap({ a: '1' })]);
  await house.ensure();
  house.memory.drop(builds, 'owner');
  house.restart();
  house.memory.put(builds, userBuild('owner'));
  await house.time.settle();
  assert.is(house.diff().unmanaged.length, 2);
  house.memory.lag(owned.configMaps, true);
  house.memory.drop(owned.configMaps, 'settings', 'shop');
  assert.equal((await house.ensure()).calls, ['get namespaces', 'get configmaps', 'apply configmaps']);
  assert.equal(house.diff().unmanaged.length, 1, 'the namespace is still there');
  assert.equal(house.value(owned.configMaps, 'settings', 'data'), { a: '1' });
  await house.end();
});

spec('removed annotations and managers are restored, and an object without our labels is unmanaged', async () => {
  const house = await ownedHouse([namespace, configMap({ a: '1' })]);
  await house.ensure();
  const settings = [owned.configMaps, 'settings'] as const;
  await house.edit(...settings, ['metadata', 'annotations', annotation.ownerUid], undefined);
  assert.equal((await house.ensure()).calls, ['apply configmaps']);
  await house.unmanaged(...settings);
  assert.equal((await house.ensure()).calls, ['apply configmaps']);
  assert.equal((await house.ensure()).calls, []);
  await house.edit(...settings, ['metadata', 'labels', label.managedBy], undefined);
  assert.equal((await house.ensure()).calls, ['get configmaps']);
  assert.match(house.diff().unmanaged.join(), /is not managed by Core/);
  await house.end();
});

spec('the manager of a field is read from managedFields, or is the last writer', () => {
  const entry = (manager: string, time: string, fieldsV1: object, operation = 'Update') => ({
    manager,
    operation,
    time: `2027-01-01T00:00:0${time}Z`,
    fieldsV1,
  });
  const env = { 'f:spec': { 'f:env': { 'k:{"name":"A"}': { 'f:value': {} } } } };
  const managedFields = [
    entry('core', '9', { 'f:spec': { 'f:replicas': {} } }, 'Apply'),
    entry('scaler', '1', { 'f:spec': { 'f:replicas': {} } }),
    entry('editor', '2', env),
    { ...entry('kubelet', '8', { 'f:status': {} }), subresource: 'status' },
    entry('last', '3', { 'f:metadata': {} }),
  ];
  const object = { metadata: { name: 'o', managedFields } } as KubeObject;
  const value = ['spec', 'env', { key: { name: 'A' } }, 'value'] as const;
  assert.is(managersAt(object, [['spec', 'replicas']]), '"scaler"');
  assert.is(managersAt(object, [value]), '"editor"');
  assert.is(managersAt(object, [['spec', 'replicas'], value]), '"editor" and "scaler"');
  assert.is(managersAt(object, [['spec', 'paused']]), '"last"');
  assert.is(managersAt({ metadata: { name: 'o' } }, [['spec']]), 'an unknown manager');
});

spec.run();
