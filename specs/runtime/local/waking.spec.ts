import * as assert from 'uvu/assert';
import type { Demanded, Place, Stored } from '../../../runtime/embedded/index.ts';
import { copiesFor, nextCheck, wantedCopies, withNeed } from '../../../runtime/local/waking/copies.ts';
import { startScaler } from '../../../runtime/local/waking/scaler.ts';
import { at, numberAt } from '../../../runtime/embedded/api/json.ts';
import { memoryStore } from '../embedded/nodes/memoryStore.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';

const spec = suite('replicas of services that may sleep');
const scaling = { least: 0, most: 5, perCopy: 100, cooldownMs: 60_000 };

spec(
  'CLI-198 a service has as many copies as the peak of the cooldown needed, and none after one without requests',
  () => {
    assert.equal(
      [0, 1, 100, 101, 10_000].map((requests) => copiesFor(requests, scaling)),
      [0, 1, 1, 2, 5],
    );
    const busy = withNeed(new Map(), 3, 0, scaling);
    const quieter = withNeed(busy, 1, 30_000, scaling);
    assert.equal([wantedCopies(busy, scaling), wantedCopies(quieter, scaling)], [3, 3]);
    assert.is(nextCheck(quieter, scaling), 60_000);
    const later = withNeed(quieter, 0, 60_000, scaling);
    assert.equal([wantedCopies(later, scaling), nextCheck(later, scaling)], [1, 90_000]);
    const idle = withNeed(later, 0, 90_000, scaling);
    assert.equal([wantedCopies(idle, scaling), nextCheck(idle, scaling)], [0, null]);
    assert.is(wantedCopies(idle, { ...scaling, least: 1 }), 1);
  },
);

const place = (bucket: string): Place => ({ bucket, namespace: 'shop', name: 'web' });
const deployment = place('apps/deployments');

/** A service with two copies that may sleep after a second. */
async function scene() {
  const store = memoryStore(Date.now);
  let report: (demand: readonly Demanded[]) => void = () => {};
  const put = (where: Place, object: object) => store.create(where, { metadata: { name: 'web' }, ...object });
  await put(deployment, { apiVersion: 'apps/v1', kind: 'Deployment', spec: { replicas: 2, paused: false } });
  await put(place('http.keda.sh/interceptorroutes'), {
    spec: { target: { service: 'web', port: 80 }, scalingMetric: { concurrency: { targetValue: 10 } } },
  });
  let now = 0;
  const scaler = startScaler({ store, onDemand: (listener) => (report = listener) }, () => now);
  await put(place('keda.sh/scaledobjects'), {
    spec: {
      scaleTargetRef: { name: 'web' },
      minReplicaCount: 0,
      maxReplicaCount: 2,
      cooldownPeriod: 60,
      triggers: [{ type: 'external-push', metadata: { interceptorRoute: 'web' } }],
    },
  });
  const get = (where: Place): Stored | undefined => store.get(where);
  return {
    get,
    store,
    scaler,
    asked: (most: number, count: number) => report([['shop/web', most, count]]),
    after: (seconds: number) => {
      now += seconds * 1_000;
      report([]);
    },
    copies: (wanted: number) =>
      until(() => numberAt(get(deployment), 'spec', 'replicas') === wanted, `${wanted} copies`),
  };
}

spec('CLI-198 a service stops after its cooldown, starts on a request and runs while requests come', async () => {
  const { get, scaler, asked, after, copies } = await scene();
  const conditions = () => at(get(place('keda.sh/scaledobjects')), 'status', 'conditions', 0, 'status');
  await until(() => conditions() === 'True', 'it says that it counts');
  after(59);
  assert.is(numberAt(get(deployment), 'spec', 'replicas'), 2, 'what ran when it was taken up runs for a cooldown');
  after(1);
  await copies(0);
  asked(1, 0);
  await copies(1);
  assert.is(at(get(deployment), 'spec', 'paused'), false, 'nothing else of it is touched');
  asked(11, 11);
  await copies(2);
  after(600);
  await copies(2);
  asked(11, 0);
  after(60);
  await copies(0);
  scaler.stop();
});

spec('a restarted server leaves a sleeping service asleep and a service without an object unchanged', async () => {
  const { store, scaler, asked, after, copies } = await scene();
  after(0);
  await store.update(deployment, (old) => ({ ...old, spec: { replicas: 0 } }));
  after(61);
  await copies(0);
  await store.remove(place('keda.sh/scaledobjects'));
  asked(1, 1);
  await new Promise((done) => setTimeout(done, 20));
  await copies(0);
  scaler.stop();
});

spec.run();
