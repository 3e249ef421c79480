import { Context, Effect } from 'effect';
import * as assert from 'uvu/assert';
import { annotation, label } from '../../../crds/names.ts';
import { builds } from '../../../runtime/services/cluster/kinds.ts';
import { Cluster, Conflict } from '../../../runtime/services/cluster/cluster.ts';
import { suite } from '../../support/suite.ts';
import { virtualTime } from '../../support/virtualTime.ts';
import { userBuild, makeTestEnvironment } from '../../support/environment.ts';

const spec = suite('adoption');

/** An environment with builds that ended long ago and have no label; `patched` counts the patches of builds. */
async function start(count: number, refusals = 0) {
  const time = virtualTime();
  const environment = makeTestEnvironment({ now: time.wall });
  const { cluster } = environment;
  const ended = { phase: 'Succeeded', startedAt: '2026-01-01T00:00:00.000Z' } as const;
  for (let index = 0; index < count; index++)
    cluster.put(builds, userBuild(`old-${index}`, { app: `app-${index}` }, ended));
  let patched = 0;
  const patch: typeof cluster.patch = (resource, ...given) =>
    Effect.suspend(() => {
      if (resource.plural === builds.plural && ++patched <= refusals)
        return Effect.fail(new Conflict({ what: 'somebody has written in between' }));
      return cluster.patch(resource, ...given);
    });
  const services = time.over(Context.add(environment.services, Cluster, { ...cluster, patch }));
  const started = await time.wait(environment.start(undefined, services));
  await time.settle();
  const later = async (ms: number) => {
    const until = time.now() + ms;
    for (let next = time.next(); next !== undefined && next <= until; next = time.next()) await time.moveTo(next);
    await time.moveTo(until);
  };
  const appOf = (name: string) => environment.build(name)?.metadata.labels?.[label.app];
  return { time, environment, cluster, later, appOf, patched: () => patched, end: () => time.wait(started.crash()) };
}

spec('BLD-019 builds without the label of their service receive it when the operator starts, once', async () => {
  const { appOf, later, patched, end } = await start(40);
  assert.equal([appOf('old-0'), appOf('old-39')], ['app-0', 'app-39']);
  await later(600_000);
  assert.is(patched(), 40);
  await end();
});

spec('a failed default of a build is retried', async () => {
  const { appOf, later, patched, end } = await start(1, 3);
  await later(1_000);
  assert.is(appOf('old-0'), 'app-0');
  assert.is(patched(), 4);
  await end();
});

spec('a build that a user creates, or that loses its label, gets the label at once', async () => {
  const { time, cluster, environment, appOf, end } = await start(0);
  cluster.put(builds, userBuild('new'));
  await time.settle();
  assert.is(appOf('new'), 'shop');
  const stored = environment.build('new');
  assert.ok(stored);
  cluster.put(builds, { ...stored, metadata: { ...stored.metadata, labels: {} } });
  await time.settle();
  assert.is(appOf('new'), 'shop');
  await end();
});

spec('a paused build is left as it is', async () => {
  const { time, cluster, appOf, patched, end } = await start(0);
  const made = userBuild('still');
  cluster.put(builds, { ...made, metadata: { ...made.metadata, annotations: { [annotation.paused]: 'true' } } });
  await time.settle();
  assert.equal([appOf('still'), patched()], [undefined, 0]);
  await end();
});

spec.run();
