import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import type { Read, StatusItem } from '../../../http/api.ts';
import { definitionOf } from '../../../runtime/services/cluster/resources.ts';
import { apps, clusters } from '../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import { installKeda, kedaOver } from '../../support/keda/fake.ts';
import { kubelet } from '../../support/service.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import { servePrepared, type Served } from '../served.ts';
import { type Asking, asking, withShop } from './given.ts';

const spec = suite('sleeping services over REST');
let served: Served;
let the: Asking;
spec.before.each(async () => {
  served = await withShop(await servePrepared(installKeda));
  the = asking(served);
  const cluster = served.operator.caches.get(clusters, 'local');
  if (!cluster) throw new Error('no cluster');
  served.world.cluster.put(clusters, { ...cluster, spec: { ...cluster.spec, addons: { serverless: true } } });
  const isOn = () => served.operator.caches.get(clusters, 'local')?.spec.addons?.serverless === true;
  await until(() => isOn() && served.operator.caches.list(definitionOf('scaledobjects.keda.sh')), 'the add-on is on');
});
spec.after.each(() => served.stop());

const code = 'export const handler = () => "hello";';
const place = { name: 'greet', namespace: 'shop-production' };
const sleep = { scaleToZero: 'on', idleSeconds: 60, host: 'greet.example.com' };

/** A function that may sleep, with a copy that runs. */
async function mayRest(): Promise<StatusItem> {
  await the.deployed({ name: 'greet', image: undefined, code, runtime: 'node' });
  await until(() => served.world.cluster.all(owned.deployments).length > 0, 'it is applied');
  kubelet(served.world, 'runs');
  assert.is((await the.patch(sleep, 'greet')).status, 200);
  const { looks } = kedaOver(served.world);
  return until(async () => {
    looks(Date.now());
    const item = await the.status('greet');
    return item.scaleToZero?.active === true && item;
  }, 'it may sleep');
}

/** What the add-on writes, and what follows in the cluster. */
function scale(replicas: number): void {
  Effect.runSync(served.world.cluster.patch(owned.deployments, place, { spec: { replicas } }));
  kubelet(served.world, 'runs');
}

spec('CLI-140 a sleeping service is shown as sleeping, without copies and ready', async () => {
  const awake = await mayRest();
  assert.equal([awake.sleeping, awake.scaleToZero], [false, { idleSeconds: 60, maxReplicas: null, active: true }]);
  scale(0);
  const asleep = await until(async () => {
    const item = await the.status('greet');
    return item.sleeping && item.replicas?.desired === 0 && item;
  }, 'it sleeps');
  assert.equal([asleep.state, asleep.ready, asleep.message], ['ready', true, 'Service is asleep']);
  assert.equal(asleep.replicas, { desired: 0, ready: 0, available: 0 });
  const { resource } = await the.read<Read>('/apps/greet');
  assert.equal(resource.details['scaleToZero'], { idleSeconds: 60, maxReplicas: null, active: true });
  scale(1);
  await until(async () => !(await the.status('greet')).sleeping, 'it is woken');
});

spec('a call of a sleeping function is sent to the wake proxy', async () => {
  await mayRest();
  scale(0);
  await until(() => served.operator.caches.get(apps, 'greet')?.status?.phase === 'Asleep', 'it sleeps');
  const { functions } = served.world;
  functions.answer = { status: 200, headers: {}, body: 'hello', durationMs: 900 };
  const { status, text } = await served.post('/api/v1/apps/greet/call', { path: '/a' });
  assert.is(status, 200, text);
  assert.match(functions.calls[0]?.url ?? '', /^http:\/\/greet-wake-[0-9a-f]{10}\.shop-production\.svc:8080\/a$/);
});

spec.run();
