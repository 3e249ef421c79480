import { Context, Effect } from 'effect';
import * as assert from 'uvu/assert';
import { label } from '../../crds/names.ts';
import { everything } from '../../runtime/controllers/all.ts';
import { builds } from '../../runtime/kinds.ts';
import { leases } from '../../runtime/leaseRecord.ts';
import { Away, Cluster, Refused } from '../../runtime/services/cluster.ts';
import { startOperator } from '../../runtime/start.ts';
import { suite } from '../support/suite.ts';
import { virtualTime } from '../support/virtualTime.ts';
import { handMade, makeWorld } from '../support/world.ts';

const spec = suite('adoption');
const seconds = 15;

/** A world of old builds without a label, where each adoption takes a second, as does a status of the one called new. */
async function start(count: number, fails: (turn: number) => Away | Refused | null = () => null) {
  const time = virtualTime();
  const world = makeWorld();
  const { cluster } = world;
  const names = Array.from({ length: count }, (_, index) => `old-${index}`);
  const put = (name: string, app = name) =>
    cluster.put(builds, handMade(name, { app }, { phase: 'Succeeded', startedAt: '2026-01-01T00:00:00.000Z' }));
  for (const name of names) put(name);
  const patches = { begun: 0, under: 0, most: 0 };
  const slow: typeof cluster.patch = (resource, ...given) =>
    Effect.suspend(() => {
      if (resource.plural !== builds.plural) return cluster.patch(resource, ...given);
      const failure = fails(++patches.begun);
      patches.most = Math.max(patches.most, ++patches.under);
      return Effect.sleep(1_000).pipe(
        Effect.andThen(failure === null ? cluster.patch(resource, ...given) : Effect.fail(failure)),
        Effect.ensuring(Effect.sync(() => void patches.under--)),
      );
    });
  const slowStatus: typeof cluster.patchStatus = (resource, name, ...given) =>
    Effect.andThen(Effect.sleep(name.name === 'new' ? 1_000 : 0), cluster.patchStatus(resource, name, ...given));
  const slowly = { ...cluster, patch: slow, patchStatus: slowStatus };
  const services = time.over(Context.add(world.services, Cluster, slowly));
  const options = {
    ...everything({ builderImage: 'builder', gitImage: 'git', gitUrl: 'https://git.example' }),
    workers: 2,
  };
  const started = await time.wait(startOperator(services, options, { lease: { identity: 'one', seconds } }));
  const later = async (ms: number) => {
    const until = time.now() + ms;
    await time.settle();
    for (let next = time.next(); next !== undefined && next <= until; next = time.next()) await time.moveTo(next);
    await time.moveTo(until);
  };
  const labelled = () => cluster.all(builds).filter(({ metadata }) => metadata.labels?.[label.app] !== undefined);
  return { time, world, cluster, started, patches, put, later, labelled };
}

spec('BLD-019 old builds are adopted a few at a time, beside the passes', async () => {
  const { time, world, cluster, started, patches, later, labelled } = await start(40);
  await later(10);
  cluster.put(builds, handMade('new', {}));
  await later(3_500);
  assert.is(world.build('new')?.status?.phase, 'Running');
  assert.is(labelled().length, 12);
  await later(8_000);
  assert.is(labelled().length, 40);
  assert.equal([patches.begun, patches.most], [40, 4]);
  await later(600_000);
  assert.is(patches.begun, 40, 'there is nothing more to adopt');
  await time.wait(started.crash());
});

spec('what could not be adopted is tried again, however often', async () => {
  const down = new Away({ why: 'down' });
  const refused = new Refused({ status: 403, message: 'not yet' });
  const { time, started, patches, later, labelled } = await start(3, (turn) =>
    turn <= 3 ? down : turn <= 5 ? refused : null,
  );
  await later(1_500);
  assert.is(labelled().length, 0);
  await later(60_000);
  assert.is(labelled().length, 3);
  assert.is(patches.begun, 8);
  await time.wait(started.crash());
});

spec('a server that asks for patience is not asked to adopt before', async () => {
  const { time, started, patches, later } = await start(1, (turn) =>
    turn === 1 ? new Away({ why: 'busy', retryAfterMs: 30_000 }) : null,
  );
  await later(30_900);
  assert.is(patches.begun, 1);
  await later(1_000);
  assert.is(patches.begun, 2);
  await time.wait(started.crash());
});

spec('a build that is not any more what the cache shows is adopted as it is', async () => {
  const { time, cluster, started, put, later, world } = await start(2);
  cluster.lag(builds, true);
  put('old-0', 'moved');
  cluster.drop(builds, 'old-1');
  await later(2_000);
  assert.is(world.build('old-0')?.metadata.labels?.[label.app], undefined);
  cluster.lag(builds, false);
  await later(60_000);
  assert.is(world.build('old-0')?.metadata.labels?.[label.app], 'moved');
  assert.is(world.build('old-1'), undefined);
  await time.wait(started.crash());
});

spec('who does not lead any more, or stops, adopts no more', async () => {
  const lost = await start(40);
  await lost.later(2_500);
  const [lease] = lost.cluster.all(leases);
  if (!lease) throw new Error('no lease');
  lost.cluster.put(leases, { ...lease, spec: { ...lease.spec, holderIdentity: 'other' } });
  await lost.later(4_000);
  const before = [lost.patches.begun, lost.labelled().length];
  await lost.later(9_000);
  assert.equal([lost.patches.begun, lost.labelled().length], before);
  assert.ok(before[1] !== undefined && before[1] > 0 && before[1] < 40);
  await lost.time.wait(lost.started.crash());

  const stopped = await start(40);
  stopped.cluster.put(builds, handMade('new', {}));
  await stopped.later(2_500);
  const count = stopped.labelled().length;
  const stop = stopped.started.stop();
  await stopped.later(20_000);
  await stopped.time.wait(stop);
  assert.is(stopped.world.build('new')?.status?.phase, 'Running', 'its pass came to its end');
  assert.is(stopped.labelled().length, count);
});

spec.run();
