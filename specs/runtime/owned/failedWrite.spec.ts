import * as assert from 'uvu/assert';
import type { OwnedObject } from '../../../runtime/owned/owned.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import { suite } from '../../support/suite.ts';
import { claim, configMap, deployment, namespace, ownedHouse, secret } from './house.ts';

const spec = suite('an object that could not be written');

const api: OwnedObject = { resource: owned.namespaces, object: { metadata: { name: 'api' } } };
/** The same object in the other namespace. */
const inApi = ({ object, ...rest }: OwnedObject): OwnedObject => ({
  ...rest,
  object: { ...object, metadata: { ...object.metadata, namespace: 'api' } },
});
const both = (...objects: readonly OwnedObject[]) => [namespace, api, ...objects, ...objects.map(inApi)];

type House = Awaited<ReturnType<typeof ownedHouse>>;
const standing = ({ memory }: House, place: string) =>
  [owned.configMaps, owned.secrets, owned.claims, owned.deployments].flatMap((resource) =>
    memory
      .all(resource)
      .filter(({ metadata }) => metadata.namespace === place)
      .map(({ metadata }) => `${resource.kind} ${metadata.name}`),
  );

spec('holds back what would start pods in its namespace, and nothing in another one', async () => {
  const house = await ownedHouse([namespace, api]);
  await house.ensure();
  house.want(both(configMap({ a: '1' }), secret('hidden'), deployment()));
  house.losing('apply', 'not done');
  assert.is((await house.ensure()).ensured, 'Unavailable');
  assert.equal(standing(house, 'shop'), ['Secret pass']);
  assert.equal(standing(house, 'api'), ['ConfigMap settings', 'Secret pass', 'Deployment web']);
  assert.is((await house.ensure()).ensured, 'done');
  assert.equal(standing(house, 'shop'), standing(house, 'api'));
  await house.end();
});

spec('lets nothing be deleted in its namespace, and what is not wanted goes from another one', async () => {
  const house = await ownedHouse(both(configMap({ a: '1' }), claim('1Gi'), deployment()));
  await house.ensure();
  house.want(both(configMap({ a: '2' }), secret('hidden')));
  house.losing('apply', 'not done');
  assert.is((await house.ensure()).ensured, 'Unavailable');
  assert.equal(standing(house, 'shop'), [
    'ConfigMap settings',
    'Secret pass',
    'PersistentVolumeClaim data',
    'Deployment web',
  ]);
  assert.equal(standing(house, 'api'), ['ConfigMap settings', 'Secret pass']);
  assert.is((await house.ensure()).ensured, 'done');
  assert.equal(standing(house, 'shop'), standing(house, 'api'));
  await house.end();
});

spec(
  'is written with the next pass alone, as its neighbours count as written before the cache has heard of them',
  async () => {
    const house = await ownedHouse([namespace, api]);
    await house.ensure();
    house.want(both(configMap({ a: '1' }), secret('hidden')));
    for (const resource of [owned.configMaps, owned.secrets]) house.memory.lag(resource, true);
    house.losing('apply', 'not done');
    await house.ensure();
    assert.equal((await house.ensure()).calls, ['apply configmaps']);
    await house.end();
  },
);

spec.run();
