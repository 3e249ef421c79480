import type { Cache } from '../../runtime/cache/cache.ts';
import type { CacheReader } from '../../runtime/cache/reader.ts';

const empty = { list: () => [], onChange: () => () => {} } as unknown as Cache;

/** The caches of a cluster without objects. */
export const nothingCached: CacheReader = {
  get: () => undefined,
  list: () => [],
  indexed: () => [],
  changes: () => 0,
  tally: (tally) => tally({ of: () => empty as never })(),
};
