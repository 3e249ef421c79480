import * as assert from 'uvu/assert';
import { annotation, label } from '../../crds/names.ts';
import { isBroughtAbout, owned } from '../../runtime/owned/owned.ts';
import { suite } from '../support/suite.ts';
import { configMap, deployment, namespace, ownedHouse } from './ownedHouse.ts';

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

spec.run();
