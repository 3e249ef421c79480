import { Effect, Latch, type Scope } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import { Cluster, type Resource } from '../services/cluster/cluster.ts';
import { type Changed, makeIndexer } from './indexer.ts';
import { keyIn } from './key.ts';
import { compareEveryMs } from './lister.ts';
import { makeLiveness } from './liveness.ts';
import { reflect } from './reflector.ts';
import { makeStore } from './store.ts';

/** The cached objects of one resource, kept current by list and watch. Callers must not mutate what it returns. */
export interface Cache<O extends KubeObject = KubeObject> {
  readonly resource: Resource<O>;
  /** For a namespaced resource, `namespace` defaults to core-system. */
  readonly get: (name: string, namespace?: string) => O | undefined;
  readonly list: (namespace?: string) => readonly O[];
  readonly indexed: (index: string, value: string) => readonly O[];
  /** Stores an object that this process read or wrote, unless the watch has already reported a later version. */
  readonly note: (object: O) => void;
  /** Returns the unsubscriber. */
  readonly onChange: (listener: (changed: Changed<O>) => void) => () => void;
  readonly synced: Effect.Effect<void>;
  /** ms since the API last sent a change, a bookmark or a list, or accepted a watch. */
  readonly age: Effect.Effect<number>;
}

export interface CacheOptions {
  readonly silenceMs?: number;
  /** When the cache is first compared with a list; several caches do so at different times. */
  readonly compareAfterMs?: number;
}

/** A watch that is silent for this long is considered dead: twice the bookmark interval of a real API server. */
export const defaultSilenceMs = 120_000;

/**
 * A cache over list and watch. A watch that ends, fails or falls silent resumes at its version; an expired version
 * leads to a new list; every failure is retried forever, with a growing pause. A list is also read every ten minutes,
 * in case the watch missed a change. A kind without a definition counts as empty and synced.
 */
export const makeCache = <O extends KubeObject>(
  resource: Resource<O>,
  { silenceMs = defaultSilenceMs, compareAfterMs = compareEveryMs }: CacheOptions = {},
): Effect.Effect<Cache<O>, never, Cluster | Scope.Scope> =>
  Effect.gen(function* () {
    const cluster = yield* Cluster;
    const { everywhere, indexes = [], ...selection } = resource.cached ?? {};
    const scope = { ...(everywhere && { namespace: 'all' }), ...selection };
    const home = resource.namespaced ? systemNamespace : '';
    const indexer = makeIndexer(indexes);
    const store = makeStore(indexer);
    const liveness = yield* makeLiveness;
    const synced = Latch.makeUnsafe(false);
    yield* Effect.forkScoped(reflect({ cluster, resource, scope, store, liveness, synced, silenceMs, compareAfterMs }));

    return {
      resource,
      get: (name, namespace = home) => indexer.get(keyIn(namespace, name)),
      list: (namespace) =>
        namespace === undefined
          ? indexer.list()
          : indexer.list().filter(({ metadata }) => metadata.namespace === namespace),
      indexed: indexer.indexed,
      note: store.note,
      onChange: indexer.onChange,
      synced: synced.await,
      age: liveness.age,
    };
  });
