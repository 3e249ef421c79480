import type { CacheReader } from './reader.ts';

/** A reader that records what it returned. */
export interface Tracked {
  readonly reader: CacheReader;
  /** Whether all reads would still return the same. */
  readonly holds: () => boolean;
}

type Read = () => boolean;

const isSameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((item, at) => item === other[at]);

/** Records each read with the returned objects; `changes` is not recorded. */
export function tracked(through: CacheReader): Tracked {
  const reads: Read[] = [];
  const one = <A>(read: () => A): A => {
    const given = read();
    reads.push(() => read() === given);
    return given;
  };
  const list = <A>(read: () => readonly A[]): readonly A[] => {
    const given = read();
    reads.push(() => isSameList(read(), given));
    return given;
  };
  return {
    reader: {
      get: (...of) => one(() => through.get(...of)),
      list: (...of) => list(() => through.list(...of)),
      indexed: (...of) => list(() => through.indexed(...of)),
      tally: (of) => one(() => through.tally(of)),
      changes: through.changes,
    },
    holds: () => reads.every((isSame) => isSame()),
  };
}
