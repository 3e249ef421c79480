import type { KubeObject } from '../../crds/kind.ts';
import type { Resource } from '../services/cluster/cluster.ts';
import type { Cache } from './cache.ts';

/** Gives the cache of a resource. */
export interface CacheOf {
  readonly of: <O extends KubeObject>(resource: Resource<O>) => Cache<O>;
}

/**
 * An aggregate over all objects of some resources, maintained by their changes, so that no reader iterates over them.
 * Starts with the cached objects and returns a reader; its value is identical until it changes.
 */
export type Tally<A> = (caches: CacheOf) => () => A;

/** The tallies of some caches, each started when it is first read. */
export function makeTallies(caches: CacheOf): <A>(tally: Tally<A>) => A {
  const begun = new Map<Tally<unknown>, () => unknown>();
  return <A>(tally: Tally<A>) => {
    const read = begun.get(tally) ?? tally(caches);
    begun.set(tally, read);
    return read() as A;
  };
}
