import { Context, Effect, Scope } from 'effect';
import * as assert from 'uvu/assert';
import { compareEveryMs } from '../../../runtime/cache/lister.ts';
import { makeCaches } from '../../../runtime/cache/caches.ts';
import { apps, builds, clusters, projects } from '../../../runtime/services/cluster/kinds.ts';
import { jobs, pods, secrets } from '../../../runtime/services/cluster/resources.ts';
import { Cluster } from '../../../runtime/services/cluster/cluster.ts';
import { environmentWith } from '../../faults/services/environment.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('lost events');

/** Changes of listed builds: one created, one changed, one deleted, one deleted and recreated. */
const happenings = 5;

for (let at = 1; at <= happenings; at++)
  spec(`a cache equals the cluster after its lost event ${at}`, async () => {
    const environment = environmentWith({ is: 'loseEvent', at, of: builds.plural });
    await environment.make('changed', 'deleted', 'renewed');
    const cache = await environment.cacheOf(builds);
    const shown = (
      all: readonly { readonly metadata: { readonly name: string; readonly resourceVersion?: string } }[],
    ) => all.map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion ?? ''}`).toSorted();
    const isTrue = () => JSON.stringify(shown(cache.list())) === JSON.stringify(shown(environment.memory.all(builds)));
    await environment.make('made');
    await environment.ask(environment.cluster.patchStatus(builds, { name: 'changed' }, { phase: 'Running' }));
    environment.memory.drop(builds, 'deleted');
    environment.memory.drop(builds, 'renewed');
    await environment.make('renewed');
    assert.equal(environment.touched(), [1]);
    // The recreated object also reveals that the previous one is gone.
    if (at !== 4) assert.not.ok(isTrue(), 'the loss did no harm');
    for (let ms = 0; ms < compareEveryMs; ms += 10_000) {
      environment.memory.bookmark();
      await environment.later(10_000);
    }
    assert.ok(isTrue(), 'still not true');
    await environment.make('later');
    assert.ok(isTrue(), 'its watch tells no more');
    await environment.end();
  });

spec('resources are compared at different times', async () => {
  const environment = environmentWith();
  const { time, cluster } = environment;
  const lists: number[] = [];
  const counted: typeof cluster = {
    ...cluster,
    list: (...given) =>
      Effect.suspend(() => {
        lists.push(time.now());
        return cluster.list(...given);
      }),
  };
  const scope = Scope.makeUnsafe();
  const context = time.over(Context.make(Cluster, counted).pipe(Context.add(Scope.Scope, scope)));
  // Seven, so that their turns are not whole milliseconds and timers fire slightly early or late.
  const resources = [apps, builds, clusters, projects, jobs, pods, secrets];
  await time.wait(Effect.runPromise(Effect.provideContext(makeCaches(resources, {}), context)));
  await time.settle();
  const begun = time.now();
  const until = begun + 2 * compareEveryMs;
  for (let next = time.next(); next !== undefined && next <= until; next = time.next()) {
    if (next % 60_000 === 0) environment.memory.bookmark();
    await time.moveTo(next);
  }
  const after = lists.filter((at) => at > begun).map((at) => at - begun);
  assert.is(after.length, 2 * resources.length);
  assert.is(new Set(after).size, after.length);
  assert.ok(after.every((at, index) => at - (after[index - 1] ?? 0) >= compareEveryMs / resources.length - 1));
});

spec.run();
