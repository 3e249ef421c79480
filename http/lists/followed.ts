import type { KubeObject } from '../../crds/kind.ts';
import type { Cache } from '../../runtime/cache/cache.ts';
import { type Key, keyOf } from '../../runtime/cache/key.ts';

/** What is kept of the objects of a cache. */
export interface Follower<O> {
  /** Takes in those that are there at first. */
  readonly begin: (objects: readonly O[]) => void;
  readonly enter: (object: O) => void;
  readonly leave: (object: O) => void;
}

/**
 * Follows a cache from the first call on, object by object. A listener may be told of two changes of one object in the
 * wrong order, so what the cache holds counts, and not the event.
 */
export function followed<O extends KubeObject>(cache: Cache<O>, { begin, enter, leave }: Follower<O>): () => void {
  let held: Map<Key, O> | null = null;
  cache.onChange(({ object }) => {
    if (held === null) return;
    const { name, namespace } = object.metadata;
    const [key, now] = [keyOf(object), cache.get(name, namespace)];
    const before = held.get(key);
    if (before === now) return;
    if (before !== undefined) leave(before);
    if (now === undefined) return void held.delete(key);
    enter(now);
    held.set(key, now);
  });
  return () => {
    if (held !== null) return;
    const objects = cache.list();
    held = new Map(objects.map((object) => [keyOf(object), object]));
    begin(objects);
  };
}
