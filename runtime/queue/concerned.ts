import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../crds/kind.ts';
import type { Changed } from '../cache/indexer.ts';
import type { CacheReader } from '../cache/reader.ts';
import type { Watching } from '../contract/controller.ts';

/** Names of the objects to enqueue after a change, by the watched object before and after it. */
export function concernedBy<W extends KubeObject>(
  watching: Watching<W>,
  { type, object, previous, initial }: Changed<W>,
  reader: CacheReader,
): ReadonlySet<string> {
  if (initial) return new Set();
  const before = type === 'modified' ? previous : undefined;
  if (before && isDeepStrictEqual(watching.reads(before), watching.reads(object))) return new Set();
  return new Set([...watching.concerns(object, reader), ...(before ? watching.concerns(before, reader) : [])]);
}
