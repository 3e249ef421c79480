import { Context, Effect, Exit, Result, Scope, Stream } from 'effect';
import type { CoreBuild } from '../../../crds/coreBuild.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { builds } from '../../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import type { Cache } from '../../../runtime/cache/cache.ts';
import { makeCache } from '../../../runtime/cache/cache.ts';
import { Cluster, type Listed, type Resource } from '../../../runtime/services/cluster/cluster.ts';
import { memoryCluster } from '../../support/memoryCluster.ts';
import { virtualTime } from '../../support/virtualTime.ts';
import { userBuild } from '../../support/environment.ts';
import type { Fault } from './fault.ts';
import { withFaults } from './faulty.ts';

export const silenceMs = 120_000;

/** An in-memory cluster behind faults, with a stopped clock. */
export function environmentWith(...faults: readonly Fault[]) {
  const time = virtualTime();
  const memory = memoryCluster(() => new Date(time.now()).toISOString());
  const { cluster, touched } = withFaults(memory, faults);
  const scope = Scope.makeUnsafe();
  const context = time.over(Context.make(Cluster, cluster).pipe(Context.add(Scope.Scope, scope)));
  const run = <A, E>(effect: Effect.Effect<A, E, Cluster | Scope.Scope>) =>
    Effect.runPromise(Effect.provideContext(effect, context));
  const later = (ms: number) => time.moveTo(time.now() + ms);

  /** The result of a call as a word; `waits` while there is no response. */
  const ask = async <A, E extends { readonly _tag: string }>(call: Effect.Effect<A, E>) => {
    const asked = { answer: 'waits' };
    const say = (result: Result.Result<A, E>) => {
      asked.answer = Result.isSuccess(result) ? 'done' : result.failure._tag;
    };
    void run(Effect.map(Effect.result(call), say));
    await time.settle();
    return asked;
  };

  /** Everything that one watch delivers from now on, and how it ends. */
  const watch = async (resource: Resource, resourceVersion: string = '1') => {
    const told: string[] = [];
    const ended = { as: 'open' };
    const following = Stream.runForEach(cluster.watch<KubeObject>(resource, { resourceVersion, silenceMs }), (change) =>
      Effect.sync(() => {
        if (change.type === 'bookmark') told.push('bookmark');
        else told.push(`${change.type} ${change.object.metadata.name}`);
      }),
    );
    void run(
      Effect.map(Effect.result(following), (end) => (ended.as = Result.isSuccess(end) ? 'ended' : end.failure._tag)),
    );
    await time.settle();
    return { told, ended };
  };

  const cacheOf = async <O extends KubeObject>(resource: Resource<O>): Promise<Cache<O>> => {
    const cache = await time.wait(run(makeCache(resource, { silenceMs })));
    await time.settle();
    return cache;
  };

  return {
    cluster,
    memory,
    time,
    later,
    ask,
    watch,
    cacheOf,
    list: (): Promise<Listed<CoreBuild>> => run(cluster.list(builds)),
    make: async (...names: readonly string[]) => {
      for (const name of names) memory.put(builds, userBuild(name));
      await time.settle();
    },
    makeSecret: async (name: string) => {
      memory.put(secrets, { metadata: { name } });
      await time.settle();
    },
    /** The content of the cluster, bypassing all faults. */
    stored: () => memory.all(builds).map(({ metadata }) => metadata.name),
    touched: () => touched().map(({ times }) => times),
    end: () => time.wait(Effect.runPromise(Scope.close(scope, Exit.void))),
  };
}
