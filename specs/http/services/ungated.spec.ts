import * as assert from 'uvu/assert';
import { annotation, systemNamespace } from '../../../crds/names.ts';
import { typeMeta } from '../../../crds/kind.ts';
import { type CoreApp, coreApp } from '../../../crds/coreApp.ts';
import { withDefaults } from '../../../crds/defaults.ts';
import { coreDatabase } from '../../../crds/coreDatabase.ts';
import type {
  Change,
  EnvironmentDeployed,
  Items,
  Scaled,
  StatusItem,
  Summary,
  VariableRemoved,
  VariableWritten,
} from '../../../http/api.ts';
import { apps, databases } from '../../../runtime/services/cluster/kinds.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import type { Served } from '../served.ts';
import { annotationOf, type Asking, asking, image, placed, serveShop } from './given.ts';

const spec = suite('services without the deploy gate over REST');
let served: Served;
let the: Asking;
spec.before.each(async () => {
  served = await serveShop();
  the = asking(served);
});
spec.after.each(() => served.stop());

/** A service as kubectl makes it; its annotations may be left from a time with the gate. */
async function putByHand(annotations: Readonly<Record<string, string>> = {}): Promise<void> {
  const fields: CoreApp['spec'] = { ...placed, source: { image }, deploy: { enabled: true } };
  served.world.cluster.put(apps, {
    ...typeMeta(coreApp),
    metadata: { name: 'web', namespace: systemNamespace, annotations },
    spec: fields,
  });
  await until(() => served.operator.caches.get(apps, 'web'), 'the service is cached');
}
const leftOver = {
  [annotation.lastDeployed]: JSON.stringify({ ...placed, source: { image: 'nginx:1' }, deploy: { enabled: true } }),
  [annotation.pendingChanges]: 'settings,variables',
};

spec(
  'KND-029 a service without the workflow annotation has nothing waiting, whatever its other annotations',
  async () => {
    await putByHand(leftOver);
    const [listed] = (await the.read<Items<Summary>>('/apps')).items;
    assert.equal([listed?.details['pending'], listed?.details['appliesAtOnce']], [[], true]);
    assert.equal(await the.read<Items<Change>>('/apps/web/changes'), { items: [] });
    const status = await the.read<StatusItem>('/apps/web/status');
    assert.equal([status.pendingChanges, status.appliesAtOnce], [false, true]);
    const told = (await the.post('/projects/shop/deploy', { environment: 'production' })).json() as EnvironmentDeployed;
    assert.equal(told.deployed, [], 'a deploy of waiting resources does not restart the service');
  },
);

spec('KND-029 API-024 API-026 a variable of an ungated service is reported as applied at once', async () => {
  await putByHand();
  const set = (await the.post('/apps/web/config/set', { key: 'MODE', value: 'fast' })).json() as VariableWritten;
  assert.equal([set.pending, set.appliesAtOnce], [false, true]);
  const removed = (await the.post('/apps/web/config/delete', { key: 'MODE' })).json() as VariableRemoved;
  assert.equal([removed.removed, removed.pending, removed.appliesAtOnce], [true, false, true]);
  assert.is(annotationOf(the.stored(), 'pendingChanges'), undefined);
});

spec('KND-029 a service has pending changes when it is deployed through the gate', async () => {
  await the.deployed();
  await the.patch({ port: 3000 });
  const [listed] = (await the.read<Items<Summary>>('/apps')).items;
  assert.equal([listed?.details['pending'], listed?.details['appliesAtOnce']], [['settings'], false]);
  assert.equal(
    (await the.read<Items<Change>>('/apps/web/changes')).items.map(({ path }) => path),
    ['spec.port'],
  );
});

spec('DB-207 an ungated database is not deployed with its environment', async () => {
  served.world.cluster.put(databases, {
    ...typeMeta(coreDatabase),
    metadata: { name: 'orders', namespace: systemNamespace },
    spec: withDefaults(coreDatabase.spec, { ...placed, engine: 'SQLite', deploy: { enabled: false } } as const),
  });
  await until(() => served.operator.caches.get(databases, 'orders'), 'the database is cached');
  const [listed] = (await the.read<Items<Summary>>('/databases')).items;
  assert.is(listed?.details['appliesAtOnce'], true);
  const told = (await the.post('/projects/shop/deploy', { environment: 'production' })).json() as EnvironmentDeployed;
  assert.equal(told.deployed, []);
});

spec('API-028 CLI-207 a scale answer gives the reason when the copies do not run at once', async () => {
  const scaled = async () => (await the.post('/apps/web/scale', { replicas: 3 })).json() as Scaled;
  await the.create();
  assert.is((await scaled()).note, 'It is a draft: no copy runs until it is deployed.');
  await the.patch({ autoscaling: { enabled: true } });
  await the.post('/apps/web/deploy');
  assert.is((await scaled()).note, 'Autoscaling is on: the number of copies follows the load.');
  await the.patch({ autoscaling: null });
  assert.is((await scaled()).note, undefined);
});

spec.run();
