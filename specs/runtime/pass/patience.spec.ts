import { Context, Effect } from 'effect';
import * as assert from 'uvu/assert';
import { systemNamespace } from '../../../crds/names.ts';
import { builds } from '../../../runtime/services/cluster/kinds.ts';
import { done, type Ensure } from '../../../runtime/contract/ensure.ts';
import { Unavailable, Cluster } from '../../../runtime/services/cluster/cluster.ts';
import { suite } from '../../support/suite.ts';
import { virtualTime } from '../../support/virtualTime.ts';
import { userBuild, makeTestEnvironment } from '../../support/environment.ts';
import { type Toggle, doing, toggleController, toggles } from './toggle.ts';

const spec = suite('waits between passes');

/** A build whose first status write is refused, with or without a Retry-After; returns when the second was tried. */
async function start(retryAfterMs?: number) {
  const time = virtualTime();
  const environment = makeTestEnvironment();
  const { cluster } = environment;
  const begun = time.now();
  const tries: number[] = [];
  const busy = new Unavailable({ message: '429 busy', ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
  const refusing: typeof cluster.patchStatus = (...given) =>
    Effect.suspend(() => {
      tries.push(time.now() - begun);
      return tries.length === 1 ? Effect.fail(busy) : cluster.patchStatus(...given);
    });
  cluster.put(builds, userBuild('a'));
  const over = time.over(Context.add(environment.services, Cluster, { ...cluster, patchStatus: refusing }));
  const started = await time.wait(environment.start(undefined, over));
  await time.settle();
  for (let next = time.next(); next !== undefined && next < begun + 120_000; next = time.next()) {
    if (environment.build('a')?.status?.phase === 'Running') break;
    await time.moveTo(next);
  }
  await time.wait(started.crash());
  return { phase: environment.build('a')?.status?.phase, secondTry: tries[1] };
}

spec('a refused pass is retried after the requested wait, at most after a minute', async () => {
  assert.equal(await start(20_000), { phase: 'Running', secondTry: 20_000 });
  assert.equal(await start(3_600_000), { phase: 'Running', secondTry: 60_000 });
});

spec('a refused pass without a requested wait is retried at once', async () => {
  assert.equal(await start(), { phase: 'Running', secondTry: 5 });
});

/** How many passes an operator runs in one minute over an object whose state never gets what it ensures. */
async function passesOver(swept: Ensure<Toggle>): Promise<number> {
  const time = virtualTime();
  let passes = 0;
  const counted: Ensure<Toggle> = { run: (given) => Effect.suspend(() => (passes++, swept.run(given))) };
  const environment = makeTestEnvironment({ controllers: [toggleController(doing({ locked: true, swept: counted }))] });
  environment.cluster.put(toggles, { metadata: { name: 'front', namespace: systemNamespace } });
  const started = await time.wait(environment.start(undefined, time.over(environment.services)));
  await time.settle();
  const until = time.now() + 60_000;
  for (let next = time.next(); next !== undefined && next <= until; next = time.next()) await time.moveTo(next);
  await time.wait(started.crash());
  return passes;
}

spec('a pass that acted is requeued after a growing pause', async () => {
  assert.is(await passesOver({ run: () => Effect.succeed(done) }), 14);
});

spec('a rule with an immediate requeue and no change does not spin', async () => {
  assert.is(await passesOver({ run: () => Effect.succeed({ is: 'waits', afterMs: 0 }) }), 14);
});

spec.run();
