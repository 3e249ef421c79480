import type { KubeObject } from '../../crds/kind.ts';
import { isSameJson } from '../../rules/sameJson.ts';
import { lru } from '../services/lru.ts';
import type { CacheReader } from './reader.ts';
import { type Tracked, tracked } from './tracked.ts';

/** So many answers are kept as objects have passes at a time, and some more. */
const kept = 256;

/** What an answer follows from besides what is read. */
export interface From {
  /** What it is about, by a name that is never given again. */
  readonly of: string;
  readonly inputs: readonly unknown[];
  readonly reader: CacheReader;
}

interface Last<A> extends From {
  readonly answer: A;
  readonly read: Tracked;
  /** How many changes there were when the reads were last seen to hold. */
  changes: number;
}

/**
 * Keeps the last answer about each object. It is given again while its inputs are equal and every read that it was
 * derived from gives the same: a write of something else, or of the object itself, costs no second derivation.
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

/** The metadata of an object without what changes with each write of it, whatever is written. */
export function withoutVersion<M extends KubeObject['metadata']>(metadata: M): M {
  const { resourceVersion: _, managedFields: __, ...rest } = metadata as M & { readonly managedFields?: unknown };
  return rest as unknown as M;
}
