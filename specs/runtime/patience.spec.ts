import { Context, Effect } from 'effect';
import * as assert from 'uvu/assert';
import { builds } from '../../runtime/kinds.ts';
import { Away, Cluster } from '../../runtime/services/cluster.ts';
import { suite } from '../support/suite.ts';
import { virtualTime } from '../support/virtualTime.ts';
import { handMade, makeWorld } from '../support/world.ts';

const spec = suite('patience');

/** A build whose first status write is refused so; when that was tried. */
async function start(retryAfterMs?: number) {
  const time = virtualTime();
  const world = makeWorld();
  const { cluster } = world;
  const begun = time.now();
  const tries: number[] = [];
  const busy = new Away({ why: '429 busy', ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
  const refusing: typeof cluster.patchStatus = (...given) =>
    Effect.suspend(() => {
      tries.push(time.now() - begun);
      return tries.length === 1 ? Effect.fail(busy) : cluster.patchStatus(...given);
    });
  cluster.put(builds, handMade('a'));
  const over = time.over(Context.add(world.services, Cluster, { ...cluster, patchStatus: refusing }));
  const started = await time.wait(world.start(undefined, over));
  await time.settle();
  for (let next = time.next(); next !== undefined && next < begun + 120_000; next = time.next()) {
    if (world.build('a')?.status?.phase === 'Running') break;
    await time.moveTo(next);
  }
  await time.wait(started.crash());
  return { phase: world.build('a')?.status?.phase, secondTry: tries[1] };
}

spec('a pass that was refused with a time to wait is not tried before, but after a minute in any case', async () => {
  assert.equal(await start(20_000), { phase: 'Running', secondTry: 20_000 });
  assert.equal(await start(3_600_000), { phase: 'Running', secondTry: 60_000 });
});

spec('a pass that was refused without one is tried again at once', async () => {
  assert.equal(await start(), { phase: 'Running', secondTry: 5 });
});

spec.run();
