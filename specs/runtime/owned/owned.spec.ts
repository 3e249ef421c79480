import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../crds/kind.ts';
import { annotation, label } from '../../../crds/names.ts';
import { builds } from '../../../runtime/services/cluster/kinds.ts';
import { emptyRecord, ownedMemory } from '../../../runtime/owned/memory.ts';
import { type OwnedObject, owned } from '../../../runtime/owned/owned.ts';
import { suite } from '../../support/suite.ts';
import {
  autoscaler,
  autoscalers,
  base64,
  claim,
  configMap,
  deployment,
  namespace,
  ownedHouse,
  secret,
} from './house.ts';

const spec = suite('owned objects');

spec('wanted objects are created, and while they exist the cluster gets no calls', async () => {
  const house = await ownedHouse([namespace, deployment(), configMap({ a: '1' })]);
  assert.equal(house.diff().absent, ['Namespace shop', 'Deployment shop/web', 'ConfigMap shop/settings']);
  assert.equal(await house.ensure(), {
    ensured: 'done',
    calls: ['apply namespaces', 'apply deployments', 'apply configmaps'],
  });
  assert.ok(house.isInSync());
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

spec('a changed desired state is applied in one call and removes fields no longer desired', async () => {
  const house = await ownedHouse([namespace, configMap({ a: '1', b: '2' })]);
  await house.ensure();
  house.want([namespace, configMap({ a: '3' })]);
  assert.equal(house.diff().stale, ['ConfigMap shop/settings']);
  assert.equal(await house.ensure(), { ensured: 'done', calls: ['apply configmaps'] });
  assert.equal(house.value(owned.configMaps, 'settings', 'data'), { a: '3' });
  assert.equal(await house.ensure(), { ensured: 'holds', calls: [] });
  await house.end();
});

spec('existing objects are compared after a restart, quantities by value, and nothing is written', async () => {
  const house = await ownedHouse([namespace, deployment(), configMap({ a: '1' }), secret('hidden'), claim('1024Mi')]);
  await house.ensure();
  house.restart();
  assert.ok(house.isInSync());
  assert.equal(await house.ensure(), { ensured: 'holds', calls: [] });
  assert.is(house.value(owned.claims, 'data', 'spec', 'resources', 'requests', 'storage'), '1Gi');
  await house.end();
});

spec('a value rewritten by the API costs one apply after a restart, which changes nothing', async () => {
  const house = await ownedHouse([namespace, autoscaler('0.5')]);
  await house.ensure();
  const target = () => JSON.stringify(house.value(autoscalers, 'web', 'spec', 'metrics'));
  assert.match(target(), /"value":"500m"/);
  house.restart();
  assert.equal(await house.ensure(), { ensured: 'holds', calls: ['apply horizontalpodautoscalers'] });
  assert.equal(await house.ensure(), { ensured: 'holds', calls: [] });
  assert.ok(house.isInSync());
  await house.end();
});

spec('a removed object is removed once, even while the cache still shows it', async () => {
  const house = await ownedHouse([namespace, deployment()]);
  await house.ensure();
  house.lag(true);
  house.want([namespace]);
  assert.equal((await house.ensure()).calls, ['get corebuilds', 'remove deployments']);
  assert.equal((await house.ensure()).calls, []);
  house.want([namespace, deployment()]);
  assert.equal(await house.ensure(), { ensured: 'waits', afterMs: 30_000, calls: [] });
  house.lag(false);
  await house.time.settle();
  assert.equal((await house.ensure()).calls, ['apply deployments']);
  await house.end();
});

spec('a write counts as current until the cache shows it, for a limited time', async () => {
  const house = await ownedHouse([namespace]);
  house.memory.lag(owned.namespaces, true);
  await house.ensure();
  assert.equal(await house.ensure(), { ensured: 'waits', afterMs: 30_000, calls: [] });
  house.memory.drop(owned.namespaces, 'shop');
  await house.later(30_001);
  assert.equal((await house.ensure()).calls, ['apply namespaces']);
  await house.end();
});

spec('a change of an immutable field recreates the object, or is left out', async () => {
  const house = await ownedHouse([namespace, deployment(), claim('2Gi')]);
  await house.ensure();
  const before = house.value(owned.deployments, 'web', 'metadata', 'uid');
  house.want([namespace, deployment('i:1', { labels: { run: 'other' } }), claim('1Gi')]);
  assert.equal(house.diff().stale, ['Deployment shop/web']);
  assert.equal((await house.ensure()).calls, ['remove deployments']);
  assert.equal((await house.ensure()).calls, ['apply deployments']);
  assert.is.not(house.value(owned.deployments, 'web', 'metadata', 'uid'), before);
  assert.is(house.value(owned.claims, 'data', 'spec', 'resources', 'requests', 'storage'), '2Gi');
  assert.equal(await house.ensure(), { ensured: 'holds', calls: [] });
  house.restart();
  assert.equal(await house.ensure(), { ensured: 'holds', calls: [] });
  await house.end();
});

spec('a fixed field set by the API causes no apply, and one no longer desired causes an apply', async () => {
  const typed = (password: string): OwnedObject => ({
    ...secret(password),
    fixed: [{ path: ['type'], then: 'replace' }],
  });
  const fixed = [{ path: ['spec', 'type'], then: 'keep' }] as const;
  const service = (spec: object): OwnedObject => ({
    resource: owned.services,
    object: { metadata: { name: 'web', namespace: 'shop' }, spec: { ports: [{ port: 80 }], ...spec } } as KubeObject,
    fixed,
  });
  const house = await ownedHouse([namespace, typed('hidden'), service({ type: 'NodePort' })]);
  await house.ensure();
  assert.is(house.value(owned.secrets, 'pass', 'type'), 'Opaque');
  assert.equal(await house.ensure(), { ensured: 'holds', calls: [] });
  house.want([namespace, typed('hidden'), service({})]);
  assert.equal(await house.ensure(), { ensured: 'done', calls: ['apply services'] });
  assert.is(house.value(owned.services, 'web', 'spec', 'type'), 'NodePort');
  house.restart();
  assert.equal(await house.ensure(), { ensured: 'holds', calls: [] });
  await house.end();
});

spec('an unwanted object is removed by its uid, after the owner was read', async () => {
  const house = await ownedHouse([namespace, deployment(), configMap({ a: '1' })]);
  await house.ensure();
  house.want([namespace, configMap({ a: '1' })]);
  assert.equal(house.diff().toPrune, ['Deployment shop/web']);
  assert.equal(await house.ensure(), { ensured: 'done', calls: ['get corebuilds', 'remove deployments'] });
  assert.is(house.value(owned.deployments, 'web'), undefined);
  assert.equal(await house.ensure(), { ensured: 'holds', calls: [] });
  await house.end();
});

spec('no object is deleted while the view of the owner is stale', async () => {
  const house = await ownedHouse([namespace, deployment()]);
  await house.ensure();
  house.want([namespace]);
  const old = house.owner();
  await house.edit(builds, 'owner', ['metadata', 'labels', 'new'], 'yes');
  const over = await house.ensure(old);
  assert.equal(over, { ensured: 'waits', afterMs: 1_000, calls: ['get corebuilds'] });
  assert.ok(house.value(owned.deployments, 'web'));
  await house.end();
});

spec('an owner has no objects left when a direct read over all namespaces finds none', async () => {
  const house = await ownedHouse([namespace, deployment(), configMap({ a: '1' })]);
  await house.ensure();
  assert.equal(await house.remaining(), ['Namespace shop', 'Deployment shop/web', 'ConfigMap shop/settings']);
  const first = await house.none();
  assert.equal([first.ensured, first.calls[0]], ['done', 'get corebuilds']);
  assert.is((await house.none()).ensured, 'holds');
  assert.equal(await house.remaining(), []);
  await house.end();
});

spec('a terminating object counts neither as correct nor as gone', async () => {
  const held = { ...namespace, object: { metadata: { name: 'shop', finalizers: ['example.com/held'] } } };
  const house = await ownedHouse([held]);
  await house.ensure();
  assert.is((await house.none()).ensured, 'done');
  assert.equal((await house.none()).calls, []);
  assert.is((await house.none()).ensured, 'waits');
  assert.equal(house.diff().terminating, ['Namespace shop']);
  assert.equal(await house.ensure(), { ensured: 'waits', afterMs: 30_000, calls: [] });
  await house.end();
});

spec('the data of a Secret is restored and appears in no annotation or fact', async () => {
  const house = await ownedHouse([namespace, secret('hidden')]);
  const hash = () => house.value(owned.secrets, 'pass', 'metadata', 'annotations', annotation.applied);
  await house.ensure();
  const before = hash();
  house.want([namespace, secret('another')]);
  assert.equal(house.diff().stale, ['Secret shop/pass']);
  assert.equal((await house.ensure()).calls, ['apply secrets']);
  assert.equal(house.value(owned.secrets, 'pass', 'data'), { password: base64('another') });
  assert.is(hash(), before);
  await house.edit(owned.secrets, 'pass', ['data', 'password'], base64('stolen'));
  house.restart();
  assert.equal((await house.ensure()).calls, ['apply secrets']);
  const { data: _, ...told } = house.value(owned.secrets, 'pass') as { readonly data: unknown };
  for (const hidden of ['another', base64('another')])
    assert.not.match(JSON.stringify([told, house.diff()]), new RegExp(hidden));
  await house.end();
});

spec('an apply is repeated when it failed or its answer was lost', async () => {
  const house = await ownedHouse([namespace, configMap({ a: '1' })]);
  house.losing('apply', 'done');
  await house.ensure();
  // What stands after it was written nevertheless.
  assert.equal(house.value(owned.configMaps, 'settings', 'data'), { a: '1' });
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

spec('memory is released with its objects and their owners', () => {
  const memory = ownedMemory();
  for (let number = 0; number < 600; number++)
    for (const key of ['a', 'b']) memory.remember(`uid-${number}`, key, emptyRecord);
  memory.retain('uid-0', (key) => key === 'b');
  assert.equal([...memory.of('uid-0').keys()], ['b']);
  memory.sweep(() => ['uid-0', 'uid-1']);
  assert.equal(
    [0, 1, 2, 599].map((number) => memory.of(`uid-${number}`).size),
    [1, 2, 0, 0],
  );
});

spec.run();
