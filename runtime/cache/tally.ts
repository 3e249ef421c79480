import type { KubeObject } from '../../crds/kind.ts';
import type { Resource } from '../services/cluster/cluster.ts';
import type { Cache } from './cache.ts';

/** Where the caches of resources are found. */
export interface CacheOf {
  readonly of: <O extends KubeObject>(resource: Resource<O>) => Cache<O>;
}

/**
 * What is kept of all objects of some resources by their changes, so that no reader has to go through them. It begins
 * with what is cached and returns how to read it: the same value until it changes.
 */
export type Tally<A> = (caches: CacheOf) => () => A;

/** The tallies of some caches, each begun when it is first read. */
export function makeTallies(caches: CacheOf): <A>(tally: Tally<A>) => A {
  const begun = new Map<Tally<unknown>, () => unknown>();
  return <A>(tally: Tally<A>) => {
    const read = begun.get(tally) ?? tally(caches);
    begun.set(tally, read);
    return read() as A;
  };
}
