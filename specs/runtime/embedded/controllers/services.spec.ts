import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { listAt, textAt } from '../../../../runtime/embedded/api/json.ts';
import type { Pod } from '../../../../runtime/embedded/nodes/shapes.ts';
import { suite } from '../../../support/suite.ts';
import { type Controlled, controlled } from './world.ts';

const services = suite('Services and their endpoints');

const serve = (world: Controlled, spec: object = {}) =>
  world.create('/services', 'web', {
    apiVersion: 'v1',
    kind: 'Service',
    spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 'http', protocol: 'TCP' }], ...spec },
  });

const addresses = (world: Controlled, field = 'addresses') =>
  listAt(world.get('/endpoints', 'web'), 'subsets')
    .flatMap((subset) => listAt(subset, field).map((one) => textAt(one, 'ip')))
    .sort();
const slices = (world: Controlled) =>
  world
    .listed('discovery.k8s.io/endpointslices')
    .filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === 'web');
const readyInSlices = (world: Controlled) =>
  slices(world)
    .flatMap((slice) => listAt(slice, 'endpoints'))
    .filter((one) => (one as { conditions: { ready: boolean } }).conditions.ready)
    .map((one) => textAt(one, 'addresses', 0))
    .sort();
const ips = (pods: readonly Pod[]) => pods.map((pod) => textAt(pod, 'status', 'podIP')).sort();

services('a named target port is looked up in the pods', async () => {
  const world = await controlled();
  await world.deploy({ replicas: 2 });
  await serve(world);
  await world.clock.turn(1);
  assert.equal(addresses(world), ips(world.ready()));
  const [subset] = listAt(world.get('/endpoints', 'web'), 'subsets');
  assert.equal(listAt(subset, 'ports'), [{ port: 8080, protocol: 'TCP' }]);
  const [slice] = slices(world);
  assert.equal(listAt(slice, 'ports'), [{ name: '', port: 8080, protocol: 'TCP' }]);
  await world.end();
});

services('pods that are not ready are listed apart, unless the Service publishes them', async () => {
  const world = await controlled({ pods: '[{ match: {}, ready: false }]' });
  await world.deploy({ replicas: 2 });
  await serve(world);
  await world.clock.turn(1);
  assert.equal(addresses(world), []);
  assert.equal(addresses(world, 'notReadyAddresses'), ips(world.active()));
  await world.update('/services', 'web', ({ spec }) => ({
    spec: { ...(spec as object), publishNotReadyAddresses: true },
  }));
  await world.clock.turn(1);
  assert.equal(addresses(world), ips(world.active()));
  await world.end();
});

services('a pod with the Service as subdomain has its hostname in the endpoints', async () => {
  const world = await controlled();
  await world.deploy({ replicas: 2 });
  await serve(world, { clusterIP: 'None' });
  await world.clock.turn(1);
  const [named] = world.ready();
  await world.update('/pods', named?.metadata.name ?? '', ({ spec }) => ({
    spec: { ...(spec as object), hostname: 'own', subdomain: 'web' },
  }));
  await world.clock.turn(1);
  const hostnames = (list: readonly unknown[]) => list.map((one) => textAt(one, 'hostname')).sort();
  assert.equal(hostnames(slices(world).flatMap((slice) => listAt(slice, 'endpoints'))), ['', 'own']);
  const [subset] = listAt(world.get('/endpoints', 'web'), 'subsets');
  assert.equal(hostnames(listAt(subset, 'addresses')), ['', 'own']);
  await world.end();
});

services('endpoints are deleted with their Service', async () => {
  const world = await controlled();
  await serve(world);
  await world.clock.turn(1);
  assert.ok(world.get('/endpoints', 'web'));
  await world.remove('/services', 'web');
  await world.clock.turn(1);
  assert.is(world.get('/endpoints', 'web'), undefined);
  await world.end();
});

services('endpoints equal the ready pods after any changes', async () => {
  const step = fc.oneof(
    fc.record({ is: fc.constant('delete' as const), which: fc.nat({ max: 5 }) }),
    fc.record({ is: fc.constant('scale' as const), replicas: fc.integer({ min: 0, max: 5 }) }),
    fc.record({ is: fc.constant('leave' as const), which: fc.nat({ max: 5 }) }),
    fc.record({ is: fc.constant('wait' as const), seconds: fc.integer({ min: 0, max: 3 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const world = await controlled({ pods: '[{ match: {}, hang: true, readyAfterSeconds: 1.5 }]' });
      await world.deploy();
      await serve(world);
      for (const one of steps) {
        const pod = 'which' in one ? world.active()[one.which] : undefined;
        if (one.is === 'delete' && pod) await world.remove('/pods', pod.metadata.name);
        if (one.is === 'leave' && pod)
          await world.update('/pods', pod.metadata.name, ({ metadata }) => ({
            metadata: { ...metadata, labels: { app: 'other' } },
          }));
        if (one.is === 'scale') await world.setSpec({ replicas: one.replicas });
        await world.clock.turn(one.is === 'wait' ? one.seconds : 0);
        const ready = ips(world.ready().filter(({ metadata }) => metadata.labels?.['app'] === 'web'));
        assert.equal(addresses(world), ready);
        assert.equal(readyInSlices(world), ready);
      }
      await world.end();
    }),
    { numRuns: 25 },
  );
});

services.run();
