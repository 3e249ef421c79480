import type { KubeObject } from '../../crds/kind.ts';
import type { Cache } from '../../runtime/cache/cache.ts';
import { followed } from './followed.ts';

/** How many objects of a cache are counted under each word, kept by event; an object may be counted several times. */
export function countedIn<O extends KubeObject>(
  cache: Cache<O>,
  wordsOf: (object: O) => readonly string[],
): () => ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (object: O, by: 1 | -1) => {
    for (const word of wordsOf(object)) {
      const count = (counts.get(word) ?? 0) + by;
      if (count === 0) counts.delete(word);
      else counts.set(word, count);
    }
  };
  const follow = followed(cache, {
    begin: (objects) => {
      for (const object of objects) add(object, 1);
    },
    leave: (object) => add(object, -1),
    enter: (object) => add(object, 1),
  });
  return () => {
    follow();
    return counts;
  };
}
