import type { KubeObject } from '../../../crds/kind.ts';

/** As many objects as can be under way between an answer and the watches that report the same change. */
const sharedObjects = 64;
/** In characters: longer objects are rare, and 64 of them would take more memory than parsing takes time. */
const longestShared = 131_072;

/** Parses objects. Callers must not mutate what it returns. */
export interface SharedParser {
  readonly object: (text: string) => KubeObject;
}

/**
 * Parses the same text once: what a write answers comes again by the watches, in the same bytes, and whichever arrives
 * later is the object that arrived before. Texts are compared one by one, because nearly all differ in their length,
 * and a hash would read each of them.
 */
export function sharedParser(): SharedParser {
  const texts: string[] = [];
  const objects: KubeObject[] = [];
  let next = 0;
  return {
    object: (given) => {
      // A real API server ends an answer with a line feed.
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
