import { Cause, Context, Effect, Latch, Queue, Scope, Stream } from 'effect';
import type { KubeObject } from '../../../crds/kind.ts';
import { makeCache } from '../../../runtime/cache/cache.ts';
import { builds } from '../../../runtime/services/cluster/kinds.ts';
import {
  Unavailable,
  Cluster,
  type ClusterShape,
  type Gone,
  type Listed,
  Refused,
  type Resource,
  type Watched,
  byLabel,
} from '../../../runtime/services/cluster/cluster.ts';
import { memoryCluster } from '../../support/memoryCluster.ts';
import { virtualTime } from '../../support/virtualTime.ts';

export type Failure = Unavailable | Gone | Refused;
type Events = Queue.Queue<Watched<KubeObject>, Failure | Cause.Done>;

export const object = (name: string, version: number, label?: string): KubeObject => ({
  metadata: {
    name,
    namespace: 'core-system',
    uid: `uid-${name}`,
    resourceVersion: String(version),
    ...(label === undefined ? {} : { labels: { team: label } }),
  },
});

const watched: Resource = { ...builds, cached: { indexes: [byLabel('team')] } };

/** A server with scripted responses, which records its requests. */
export async function start(pages: readonly (Listed<KubeObject> | Failure)[]) {
  const time = virtualTime();
  const answers = [...pages];
  const asked: string[] = [];
  const watches: Events[] = [];
  const onItsWay = Latch.makeUnsafe(true);
  const cluster: ClusterShape = {
    ...memoryCluster(),
    list: ({ plural }, options) =>
      Effect.suspend(() => {
        if (plural === 'customresourcedefinitions')
          return Effect.fail(new Refused({ status: 403, message: 'definitions are not shown' }));
        asked.push(`list ${options?.continue ?? ''}`.trim());
        const answer = answers.shift() ?? new Unavailable({ message: 'no more answers' });
        const answered = '_tag' in answer ? Effect.fail(answer) : Effect.succeed(answer as never);
        return Effect.andThen(onItsWay.await, answered);
      }),
    watch: (_, { resourceVersion, silenceMs, opened = Effect.void }) => {
      asked.push(`watch ${resourceVersion} ${silenceMs}`);
      return Stream.callback<Watched<KubeObject>, Failure>((queue) => {
        watches.push(queue);
        return Effect.andThen(opened, Effect.never);
      }) as never;
    },
  };
  const context = time.over(Context.make(Cluster, cluster).pipe(Context.add(Scope.Scope, Scope.makeUnsafe())));
  const changes: string[] = [];
  const made = Effect.map(makeCache<KubeObject>(watched, { silenceMs: 9_000 }), (made) => {
    made.onChange(({ type, object: { metadata }, own, initial }) =>
      changes.push(
        `${type} ${metadata.name}@${metadata.resourceVersion}${own ? ' own' : ''}${initial ? ' initial' : ''}`,
      ),
    );
    return made;
  });
  const cache = await time.wait(Effect.runPromise(Effect.provideContext(made, context)));
  await time.settle();
  const newest = () => {
    const queue = watches.at(-1);
    if (!queue) throw new Error('nobody watches');
    return queue;
  };
  const tell = async (...told: readonly Watched<KubeObject>[]) => {
    for (const one of told) Queue.offerUnsafe(newest(), one);
    await time.settle();
  };
  const fail = async (failure: Failure) => {
    Queue.failCauseUnsafe(newest(), Cause.fail(failure));
    await time.settle();
  };
  const end = async () => {
    Queue.endUnsafe(newest());
    await time.settle();
  };
  const later = (ms: number) => time.moveTo(time.now() + ms);
  const age = () => Effect.runSync(Effect.provideContext(cache.age, context));
  const names = () =>
    cache
      .list()
      .map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`)
      .toSorted();
  return {
    cache,
    asked,
    changes,
    tell,
    fail,
    end,
    later,
    jump: time.jump,
    age,
    names,
    /** Adds responses for the next lists. */
    answer: (...next: readonly (Listed<KubeObject> | Failure)[]) => void answers.push(...next),
    /** Holds the responses of lists back until they may arrive. */
    hold: () => onItsWay.closeUnsafe(),
    arrive: async () => {
      onItsWay.openUnsafe();
      await time.settle();
    },
    lists: () => asked.filter((one) => one.startsWith('list')).length,
  };
}

export const page = (version: number, ...items: readonly KubeObject[]): Listed<KubeObject> => ({
  items,
  resourceVersion: String(version),
});
export const more = (listed: Listed<KubeObject>, token: string) => ({ ...listed, continue: token });
