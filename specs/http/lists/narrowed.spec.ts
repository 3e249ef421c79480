import * as assert from 'uvu/assert';
import { annotation } from '../../../crds/names.ts';
import { apps, builds } from '../../../runtime/services/cluster/kinds.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import { serve, type Served } from '../served.ts';
import { putApps, reading, resting } from './given.ts';

const spec = suite('list filters of the server');
let served: Served;
let list: ReturnType<typeof reading>;
spec.before.each(async () => {
  served = await serve();
  list = reading((path) => served.ask(path));
});
spec.after.each(() => served.stop());

spec('services are filtered by whether they wait for a deploy', async () => {
  const workflow = { [annotation.deployWorkflow]: 'true' };
  const deployed = { deploy: { enabled: true } };
  await putApps(served, ['a-draft']);
  served.world.cluster.put(
    apps,
    resting('b-saved', deployed, { ...workflow, [annotation.pendingChanges]: 'settings' }),
  );
  served.world.cluster.put(apps, resting('c-deployed', deployed, workflow));
  await until(() => served.operator.caches.get(apps, 'c-deployed'), 'it is cached');
  assert.equal(await list.pages('/apps?waiting=true&limit=1'), [['a-draft'], ['b-saved']]);
  assert.equal(await list.names('/apps?waiting=false'), ['c-deployed']);
  assert.equal(await list.names('/apps?waiting=true&environment=staging'), []);
});

spec('instances are filtered by project and environment', async () => {
  await putApps(served, ['a', 'b']);
  await putApps(served, ['c'], { environment: 'staging' });
  const instances = '/machines/service/instances';
  assert.equal(await list.names(`${instances}?environment=staging`), ['c']);
  assert.equal(await list.pages(`${instances}?project=demo&environment=production&limit=1`), [['a'], ['b']]);
  assert.equal(await list.names(`${instances}?project=other`), []);
});

spec('builds are filtered by whether they are the current build of their service', async () => {
  const failed = { phase: 'Failed', logRef: 'pod-log://x/builder' } as const;
  const current = await served.addApp('web', {}, failed);
  const one = served.operator.caches.get(builds, current);
  assert.ok(one);
  const past = { ...one, metadata: { ...one.metadata, name: 'web-build-0', uid: 'another' } };
  served.world.cluster.put(builds, past);
  await until(() => served.operator.caches.get(builds, 'web-build-0'), 'it is cached');
  const instances = '/machines/build/instances?state=failed';
  assert.equal(await list.names(`${instances}&current=true`), [current]);
  assert.equal(await list.names(`${instances}&current=false`), ['web-build-0']);
  assert.equal(await list.names(instances), ['web-build-0', current]);
  assert.equal(await list.names('/machines/service/instances?current=true'), ['web'], 'of others all are');
});

spec.run();
