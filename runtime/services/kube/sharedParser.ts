import type { KubeObject } from '../../../crds/kind.ts';

/** Covers the objects between a write response and the watch events of the same change. */
const sharedObjects = 64;
/** In characters: longer objects are rare, and 64 of them would take more memory than parsing takes time. */
const longestShared = 131_072;

/** Parses objects. Callers must not mutate what it returns. */
export interface SharedParser {
  readonly object: (text: string) => KubeObject;
}

/**
 * Parses equal texts once: a write response and its watch events have the same bytes and give the same object. Texts
 * are compared directly, because nearly all differ in length, while a hash would read each fully.
 */
export function sharedParser(): SharedParser {
  const texts: string[] = [];
  const objects: KubeObject[] = [];
  let next = 0;
  return {
    object: (given) => {
      // A real API server ends a response with a line feed.
      const text = given.endsWith('\n') ? given.slice(0, -1) : given;
      const known = objects[texts.indexOf(text)];
      if (known) return known;
      const parsed = JSON.parse(text) as KubeObject;
      if (text.length > longestShared) return parsed;
      texts[next] = text;
      objects[next] = parsed;
      next = (next + 1) % sharedObjects;
      return parsed;
    },
  };
}
