import { Effect, type Scope } from 'effect';
import type { KubeObject } from '../crds/kind.ts';
import { jobNameLabel, label } from '../crds/names.ts';
import { type Cache, compareEveryMs, makeCache } from './cache.ts';
import type { Seen } from './seen.ts';
import type { Cluster, Resource } from './services/cluster.ts';

/** One cache for each resource that anybody looks at. */
export interface Caches extends Seen {
  readonly of: <O extends KubeObject>(resource: Resource<O>) => Cache<O>;
  readonly all: readonly Cache[];
}

const idOf = ({ group, plural, only = {} }: Resource) =>
  [`${group}/${plural}`, only.labelSelector ?? '', only.fieldSelector ?? ''].join(' ').trim();

/** Caches of these resources; one named twice is kept once. Each is compared with a list at a time of its own. */
export const makeCaches = Effect.fnUntraced(function* (
  resources: readonly Resource[],
  options: { readonly silenceMs?: number },
): Effect.fn.Return<Caches, never, Cluster | Scope.Scope> {
  const distinct = [...new Map(resources.map((resource) => [idOf(resource), resource])).values()];
  const kept = new Map<string, Cache>();
  for (const [index, resource] of distinct.entries()) {
    const compareAfterMs = (compareEveryMs * (index + 1)) / distinct.length;
    kept.set(
      idOf(resource),
      yield* makeCache(resource, { ...options, labels: [label.app, jobNameLabel], compareAfterMs }),
    );
  }

  const of = <O extends KubeObject>(resource: Resource<O>) => {
    const found = kept.get(idOf(resource));
    if (!found) throw new Error(`nobody watches ${idOf(resource)}`);
    return found as unknown as Cache<O>;
  };
  return {
    of,
    all: [...kept.values()],
    get: (resource, name) => of(resource).get(name),
    list: (resource) => of(resource).list(),
    labelled: (resource, name, value) => of(resource).labelled(name, value),
  };
});
