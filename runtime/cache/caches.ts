import { Effect, type Scope } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { type Cache, makeCache } from './cache.ts';
import { compareEveryMs } from './lister.ts';
import type { CacheReader } from './reader.ts';
import { type CacheOf, makeTallies } from './tally.ts';
import type { Cluster, Resource } from '../services/cluster/cluster.ts';

/** One cache for each resource in use. */
export interface Caches extends CacheReader, CacheOf {
  readonly all: readonly Cache[];
}

const idOf = ({ group, plural, cached = {} }: Resource) =>
  [`${group}/${plural}`, cached.labelSelector ?? '', cached.fieldSelector ?? ''].join(' ').trim();

/** Creates the caches of these resources. Each cache is compared with a list at a time of its own. */
export const makeCaches = Effect.fnUntraced(function* (
  resources: readonly Resource[],
  options: { readonly silenceMs?: number },
): Effect.fn.Return<Caches, never, Cluster | Scope.Scope> {
  const distinct = [...new Set(resources)];
  const twice = distinct.find((one, at) => distinct.findIndex((other) => idOf(other) === idOf(one)) !== at);
  if (twice) throw new Error(`${idOf(twice)} is declared twice`);
  const kept = new Map<string, Cache>();
  let changes = 0;
  for (const [index, resource] of distinct.entries()) {
    const compareAfterMs = (compareEveryMs * (index + 1)) / distinct.length;
    const cache = yield* makeCache(resource, { ...options, compareAfterMs });
    cache.onChange(() => void changes++);
    kept.set(idOf(resource), cache);
  }

  const found = new WeakMap<Resource, Cache>();
  const of = <O extends KubeObject>(resource: Resource<O>) => {
    const cache = found.get(resource) ?? kept.get(idOf(resource));
    if (!cache) throw new Error(`nobody watches ${idOf(resource)}`);
    found.set(resource, cache);
    return cache as unknown as Cache<O>;
  };
  return {
    of,
    all: [...kept.values()],
    changes: () => changes,
    get: (resource, ...named) => of(resource).get(...named),
    list: (resource, ...within) => of(resource).list(...within),
    indexed: (resource, ...under) => of(resource).indexed(...under),
    tally: makeTallies({ of }),
  };
});
