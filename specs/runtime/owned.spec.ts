import * as assert from 'uvu/assert';
import { annotation, label } from '../../crds/names.ts';
import { withValue } from '../../rules/owned/differences.ts';
import { builds } from '../../runtime/kinds.ts';
import { isBroughtAbout, owned } from '../../runtime/owned/owned.ts';
import { suite } from '../support/suite.ts';
import { handMade } from '../support/world.ts';
import { base64, claim, configMap, deployment, namespace, ownedHouse, secret } from './ownedHouse.ts';

const spec = suite('what an object owns');

spec('what should stand is created, and nothing is asked of the cluster while it stands', async () => {
  const house = await ownedHouse([namespace, deployment(), configMap({ a: '1' })]);
  assert.equal(house.difference().absent, ['Namespace shop', 'Deployment shop/web', 'ConfigMap shop/settings']);
  assert.equal(await house.ensure(), {
    ensured: 'done',
    calls: ['apply namespaces', 'apply deployments', 'apply configmaps'],
  });
  assert.ok(isBroughtAbout(house.difference()));
  assert.equal(house.value(owned.deployments, 'web', 'metadata', 'labels'), {
    [label.managedBy]: 'core',
    [label.kind]: 'CoreBuild',
    [label.name]: 'owner',
  });
  assert.equal(
    house.value(owned.deployments, 'web', 'metadata', 'annotations', annotation.ownerUid),
    house.owner().metadata.uid,
  );
  assert.equal(await house.ensure(), { ensured: 'holds', calls: [] });
  await house.end();
});

spec('a change of what is wanted is one call, and takes out what is wanted no longer', async () => {
  const house = await ownedHouse([namespace, configMap({ a: '1', b: '2' })]);
  await house.ensure();
  house.want([namespace, configMap({ a: '3' })]);
  assert.equal(house.difference().stale, ['ConfigMap shop/settings']);
  assert.equal(await house.ensure(), { ensured: 'done', calls: ['apply configmaps'] });
  assert.equal(house.value(owned.configMaps, 'settings', 'data'), { a: '3' });
  assert.equal(await house.ensure(), { ensured: 'holds', calls: [] });
  await house.end();
});

spec('what another manager changes is put back by one call', async () => {
  const house = await ownedHouse([namespace, deployment()]);
  await house.ensure();
  await house.byHand(owned.deployments, 'web', ['spec', 'replicas'], 5);
  assert.equal(house.difference().stale, ['Deployment shop/web']);
  assert.equal(await house.ensure(), { ensured: 'done', calls: ['apply deployments'] });
  assert.equal(house.value(owned.deployments, 'web', 'spec', 'replicas'), 1);
  assert.equal(await house.ensure(), { ensured: 'holds', calls: [] });
  await house.end();
});

spec('after a restart what stands is compared, amounts by what they are worth, and nothing is written', async () => {
  const house = await ownedHouse([namespace, deployment(), configMap({ a: '1' }), secret('hidden'), claim('1024Mi')]);
  await house.ensure();
  house.restart();
  assert.ok(isBroughtAbout(house.difference()));
  assert.equal(await house.ensure(), { ensured: 'holds', calls: [] });
  assert.is(house.value(owned.claims, 'data', 'spec', 'resources', 'requests', 'storage'), '1Gi');
  await house.end();
});

spec(
  'a value that the API writes in a way of its own costs one apply after a restart, which changes nothing',
  async () => {
    const schedule = { ...deployment(), object: withValue(deployment().object, ['spec', 'paused'], false) };
    const house = await ownedHouse([namespace, schedule]);
    await house.ensure();
    // The API leaves the zero out, and a cluster would write `0.5` and `500m`: of neither is known that it means the same.
    await house.byHand(owned.deployments, 'web', ['spec', 'paused'], undefined);
    house.restart();
    const first = await house.ensure();
    assert.equal(first.calls, ['apply deployments']);
    assert.equal((await house.ensure()).calls, []);
    await house.end();
  },
);

spec('an object of the name that is not ours is left alone, and told of', async () => {
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
  assert.equal(house.difference().foreign, [
    "Namespace shop stands already and is not Core's",
    "ConfigMap shop/settings stands already and is not Core's",
  ]);
  assert.equal((await house.ensure()).calls, []);
  assert.equal(house.value(owned.configMaps, 'settings', 'data'), { b: '2' });
  house.memory.drop(owned.configMaps, 'settings', 'shop');
  await house.later(60_001);
  assert.equal((await house.ensure()).calls, ['get namespaces', 'apply namespaces', 'apply configmaps']);
  assert.equal(house.value(owned.configMaps, 'settings', 'data'), { a: '1' });
  await house.end();
});

spec('what is ours and not yet in the cache is found by the clash, and not written again', async () => {
  const house = await ownedHouse([namespace]);
  house.memory.lag(owned.namespaces, true);
  await house.ensure();
  house.restart();
  assert.equal((await house.ensure()).calls, ['get namespaces', 'apply namespaces']);
  assert.ok(isBroughtAbout(house.difference()));
  assert.equal((await house.ensure()).calls, []);
  await house.end();
});

spec('what was written counts as standing until the cache knows, but not for ever', async () => {
  const house = await ownedHouse([namespace]);
  house.memory.lag(owned.namespaces, true);
  await house.ensure();
  assert.equal(await house.ensure(), { ensured: 'waits', afterMs: 30_000, calls: [] });
  house.memory.drop(owned.namespaces, 'shop');
  await house.later(30_001);
  assert.equal((await house.ensure()).calls, ['apply namespaces']);
  await house.end();
});

spec('a change of what the API lets nobody change makes the object anew, or is left out', async () => {
  const house = await ownedHouse([namespace, deployment(), claim('2Gi')]);
  await house.ensure();
  const before = house.value(owned.deployments, 'web', 'metadata', 'uid');
  house.want([namespace, deployment('i:1', { labels: { run: 'other' } }), claim('1Gi')]);
  assert.equal(house.difference().stale, ['Deployment shop/web']);
  assert.equal((await house.ensure()).calls, ['remove deployments']);
  assert.equal((await house.ensure()).calls, ['apply deployments']);
  assert.is.not(house.value(owned.deployments, 'web', 'metadata', 'uid'), before);
  assert.is(house.value(owned.claims, 'data', 'spec', 'resources', 'requests', 'storage'), '2Gi');
  assert.equal(await house.ensure(), { ensured: 'holds', calls: [] });
  house.restart();
  assert.equal(await house.ensure(), { ensured: 'holds', calls: [] });
  await house.end();
});

spec('what should stand no longer goes by its uid, after the owner was read', async () => {
  const house = await ownedHouse([namespace, deployment(), configMap({ a: '1' })]);
  await house.ensure();
  house.want([namespace, configMap({ a: '1' })]);
  assert.equal(house.difference().surplus, ['Deployment shop/web']);
  assert.equal(await house.ensure(), { ensured: 'done', calls: ['get corebuilds', 'remove deployments'] });
  assert.is(house.value(owned.deployments, 'web'), undefined);
  assert.equal(await house.ensure(), { ensured: 'holds', calls: [] });
  await house.end();
});

spec('over an old view of the owner nothing is taken away', async () => {
  const house = await ownedHouse([namespace, deployment()]);
  await house.ensure();
  house.want([namespace]);
  const old = house.owner();
  await house.byHand(builds, 'owner', ['metadata', 'labels', 'new'], 'yes');
  const over = await house.ensure(old);
  assert.equal(over, { ensured: 'waits', afterMs: 1_000, calls: ['get corebuilds'] });
  assert.ok(house.value(owned.deployments, 'web'));
  await house.end();
});

spec('nothing is left when a direct read finds nothing, in whatever namespace', async () => {
  const house = await ownedHouse([namespace, deployment(), configMap({ a: '1' })]);
  await house.ensure();
  assert.equal(await house.remaining(), ['Namespace shop', 'Deployment shop/web', 'ConfigMap shop/settings']);
  const first = await house.none();
  assert.equal([first.ensured, first.calls[0]], ['done', 'get corebuilds']);
  assert.is((await house.none()).ensured, 'holds');
  assert.equal(await house.remaining(), []);
  await house.end();
});

spec('what is on its way out stands neither as it should nor is it gone', async () => {
  const held = { ...namespace, object: { metadata: { name: 'shop', finalizers: ['example.com/held'] } } };
  const house = await ownedHouse([held]);
  await house.ensure();
  assert.is((await house.none()).ensured, 'done');
  assert.equal((await house.none()).calls, []);
  assert.is((await house.none()).ensured, 'waits');
  assert.equal(house.difference().going, ['Namespace shop']);
  assert.equal(await house.ensure(), { ensured: 'waits', afterMs: 30_000, calls: [] });
  await house.end();
});

spec('maps that are wanted whole lose what nobody wants in them', async () => {
  const house = await ownedHouse([namespace, configMap({ a: '1' })]);
  await house.ensure();
  await house.byHand(owned.configMaps, 'settings', ['data', 'strange'], 'x');
  assert.equal(house.difference().stale, ['ConfigMap shop/settings']);
  assert.equal((await house.ensure()).calls, ['patch configmaps']);
  assert.equal(house.value(owned.configMaps, 'settings', 'data'), { a: '1' });
  assert.equal(await house.ensure(), { ensured: 'holds', calls: [] });
  await house.end();
});

spec('labels and annotations of others stay', async () => {
  const house = await ownedHouse([namespace, deployment()]);
  await house.ensure();
  await house.byHand(owned.deployments, 'web', ['metadata', 'annotations', 'example.com/seen'], 'yes');
  assert.equal(await house.ensure(), { ensured: 'holds', calls: [] });
  house.want([namespace, deployment('i:2')]);
  await house.ensure();
  assert.is(house.value(owned.deployments, 'web', 'metadata', 'annotations', 'example.com/seen'), 'yes');
  await house.end();
});

spec(
  'what is taken back three times within ten minutes is applied every ten minutes, and by whom is told',
  async () => {
    const house = await ownedHouse([namespace, deployment()]);
    await house.ensure();
    const takeBack = () => house.byHand(owned.deployments, 'web', ['spec', 'replicas'], 7);
    for (const _ of [2, 3]) {
      await house.later(1_000);
      await takeBack();
      assert.equal((await house.ensure()).calls, ['apply deployments']);
    }
    assert.equal(house.difference().contested, []);
    await house.later(1_000);
    await takeBack();
    assert.equal(await house.ensure(), { ensured: 'waits', afterMs: 599_000, calls: ['get deployments'] });
    assert.equal(house.difference().contested, [
      'Deployment shop/web is taken back by "hand" again and again; it is applied every 10 minutes',
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
    assert.equal(house.difference().contested, []);
    await house.end();
  },
);

spec('what is deleted again and again is slowed down too, and a change of what is wanted is not', async () => {
  const house = await ownedHouse([namespace, configMap({ a: '1' })]);
  for (const _ of [1, 2, 3]) {
    assert.is((await house.ensure()).ensured, 'done');
    assert.is((await house.ensure()).ensured, 'holds');
    house.memory.drop(owned.configMaps, 'settings', 'shop');
    await house.time.settle();
  }
  assert.equal(await house.ensure(), { ensured: 'waits', afterMs: 600_000, calls: ['get configmaps'] });
  assert.match(house.difference().contested.join(), /somebody who deletes it/);
  house.want([namespace, configMap({ a: '2' })]);
  assert.equal((await house.ensure()).calls, ['apply configmaps']);
  assert.equal(house.difference().contested, []);
  await house.end();
});

spec('the data of a Secret is kept as wanted, and is in no annotation and no fact', async () => {
  const house = await ownedHouse([namespace, secret('hidden')]);
  const hash = () => house.value(owned.secrets, 'pass', 'metadata', 'annotations', annotation.applied);
  await house.ensure();
  const before = hash();
  house.want([namespace, secret('another')]);
  assert.equal(house.difference().stale, ['Secret shop/pass']);
  assert.equal((await house.ensure()).calls, ['apply secrets']);
  assert.equal(house.value(owned.secrets, 'pass', 'data'), { password: base64('another') });
  assert.is(hash(), before);
  await house.byHand(owned.secrets, 'pass', ['data', 'password'], base64('stolen'));
  house.restart();
  assert.equal((await house.ensure()).calls, ['apply secrets']);
  const { data: _, ...told } = house.value(owned.secrets, 'pass') as { readonly data: unknown };
  for (const hidden of ['another', base64('another')])
    assert.not.match(JSON.stringify([told, house.difference()]), new RegExp(hidden));
  await house.end();
});

spec('what another life of the owner left is told of, and taken over where an annotation says so', async () => {
  const house = await ownedHouse([namespace, configMap({ a: '1' })]);
  await house.ensure();
  const { namespace: _, ...metadata } = house.owner().metadata;
  house.memory.drop(builds, 'owner');
  house.restart();
  const again = house.memory.put(builds, handMade('owner'));
  await house.time.settle();
  assert.is.not(again.metadata.uid, metadata.uid);
  assert.equal((await house.ensure()).calls, []);
  assert.match(house.difference().foreign[0] ?? '', /^Namespace shop was made for another CoreBuild owner; annotate/);
  assert.equal(
    (await house.none()).calls.filter((call) => call.startsWith('remove')),
    [],
  );
  assert.equal(await house.remaining(), []);
  await house.byHand(builds, 'owner', ['metadata', 'annotations', annotation.adopt], 'true');
  assert.equal((await house.ensure()).calls, ['apply namespaces', 'apply configmaps']);
  assert.is(
    house.value(owned.configMaps, 'settings', 'metadata', 'annotations', annotation.ownerUid),
    again.metadata.uid,
  );
  assert.ok(isBroughtAbout(house.difference()));
  await house.end();
});

spec(
  'an annotation of ours, or all that is known of managers, is put back; without our labels it is not ours',
  async () => {
    const house = await ownedHouse([namespace, configMap({ a: '1' })]);
    await house.ensure();
    const settings = [owned.configMaps, 'settings'] as const;
    await house.byHand(...settings, ['metadata', 'annotations', annotation.ownerUid], undefined);
    assert.equal((await house.ensure()).calls, ['apply configmaps']);
    await house.unmanaged(...settings);
    assert.equal((await house.ensure()).calls, ['apply configmaps']);
    assert.equal((await house.ensure()).calls, []);
    await house.byHand(...settings, ['metadata', 'labels', label.managedBy], undefined);
    assert.equal((await house.ensure()).calls, ['get configmaps']);
    assert.match(house.difference().foreign.join(), /is not Core's/);
    await house.end();
  },
);

spec('a write that failed, or whose answer was lost, leaves nothing undone', async () => {
  const house = await ownedHouse([namespace, configMap({ a: '1' })]);
  house.losing('apply', 'done');
  await house.ensure();
  assert.is((await house.ensure()).ensured, 'done');
  assert.is((await house.ensure()).ensured, 'holds');
  house.want([namespace, configMap({ a: '2' })]);
  house.losing('apply', 'not done');
  await house.ensure();
  assert.equal((await house.ensure()).calls, ['apply configmaps']);
  house.want([namespace, configMap({ a: '3' })]);
  house.losing('apply', 'conflict');
  assert.equal((await house.ensure()).calls, ['get configmaps', 'apply configmaps', 'apply configmaps']);
  assert.equal(house.value(owned.configMaps, 'settings', 'data'), { a: '3' });
  await house.end();
});

spec.run();
