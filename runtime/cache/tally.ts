import type { Caches } from './caches.ts';

/**
 * What is kept of all objects of some resources by their changes, so that no reader has to go through them. It begins
 * with what is cached and returns how to read it: the same value until it changes.
 */
export type Tally<A> = (caches: Pick<Caches, 'of'>) => () => A;

/** The tallies of some caches, each begun when it is first read. */
export function makeTallies(caches: Pick<Caches, 'of'>): <A>(tally: Tally<A>) => A {
  const begun = new Map<Tally<unknown>, () => unknown>();
  return <A>(tally: Tally<A>) => {
    const read = begun.get(tally) ?? tally(caches);
    begun.set(tally, read);
    return read() as A;
  };
}
