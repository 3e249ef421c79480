import type { CacheReader } from './reader.ts';

/** A reader that keeps in mind what it gave. */
export interface Tracked {
  readonly reader: CacheReader;
  /** Whether everything that was read would still be given. */
  readonly holds: () => boolean;
}

type Read = () => boolean;

const isSameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((item, at) => item === other[at]);

/** Notes each read with the very objects that it gave; the number of changes is no read. */
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
