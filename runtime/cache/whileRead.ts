import type { KubeObject } from '../../crds/kind.ts';
import { isSameJson } from '../../rules/sameJson.ts';
import { lru } from '../services/lru.ts';
import type { CacheReader } from './reader.ts';
import { type Tracked, tracked } from './tracked.ts';

/** Enough for the objects in concurrent passes, and some more. */
const kept = 256;

/** The inputs of a result besides what is read. */
export interface From {
  /** A unique key, never reused. */
  readonly of: string;
  readonly inputs: readonly unknown[];
  readonly reader: CacheReader;
}

interface Last<A> extends From {
  readonly answer: A;
  readonly read: Tracked;
  /** The number of changes when the reads were last verified. */
  changes: number;
}

/**
 * Caches the last result for each key while its inputs are equal and every read behind it returns the same, so that
 * other writes cause no recomputation.
 */
export function whileRead<A>(): (from: From, derive: (reader: CacheReader) => A) => A {
  const last = lru<Last<A>>(kept);
  const stillHolds = (before: Last<A>, { inputs, reader }: From): boolean => {
    if (before.reader !== reader || !before.inputs.every((one, at) => isSameJson(one, inputs[at]))) return false;
    const changes = reader.changes();
    if (before.changes !== changes && !before.read.holds()) return false;
    before.changes = changes;
    return true;
  };
  return (from, derive) => {
    const before = last.get(from.of);
    if (before && stillHolds(before, from)) return before.answer;
    const changes = from.reader.changes();
    const read = tracked(from.reader);
    const answer = derive(read.reader);
    last.set(from.of, { ...from, answer, read, changes });
    return answer;
  };
}

/** Metadata without the fields that change with every write. */
export function withoutVersion<M extends KubeObject['metadata']>(metadata: M): M {
  const { resourceVersion: _, managedFields: __, ...rest } = metadata as M & { readonly managedFields?: unknown };
  return rest as unknown as M;
}
