import type { ReconcileInput } from '../contract/lifecycle.ts';

/** A recorded wall clock time: its object, an id, and the written ms since the epoch. */
interface Written {
  readonly name: string;
  /** Changes when another time of this name is meant. */
  readonly id: string;
  readonly writtenMs: number;
}

/**
 * Past times in ms since the epoch by the current wall clock: when that was set meanwhile, the elapsed time is what the
 * monotonic clock measured since this process first saw the time.
 */
export interface ElapsedTimes {
  readonly by: (written: Written, input: Pick<ReconcileInput, 'now' | 'monotonic'>) => number;
  /** Notes a pass without a time of this name: a time written later is not older than the pass. */
  readonly none: (name: string, moment: Pick<ReconcileInput, 'monotonic'>) => void;
  /** Drops the times of a deleted object. */
  readonly forget: (name: string) => void;
}

interface Seen {
  readonly id: string;
  /** When it was, by the monotonic clock. */
  readonly was: number;
  /** The lead of the wall clock over the monotonic clock in the last pass. */
  readonly ahead: number;
}

export function makeElapsedTimes(): ElapsedTimes {
  const seen = new Map<string, Seen>();
  const without = new Map<string, number>();
  return {
    by: ({ name, id, writtenMs }, { now, monotonic }) => {
      const known = seen.get(name);
      const before = known?.id === id ? known : undefined;
      const written = Math.min(writtenMs, now);
      if (monotonic === undefined) return before === undefined ? written : Math.round(before.was + before.ahead);
      const ahead = now - monotonic;
      const was = before?.was ?? Math.max(written - ahead, without.get(name) ?? Number.NEGATIVE_INFINITY);
      seen.set(name, { id, was, ahead });
      return Math.round(was + ahead);
    },
    none: (name, { monotonic }) => {
      if (monotonic !== undefined) without.set(name, monotonic);
    },
    forget: (name) => {
      seen.delete(name);
      without.delete(name);
    },
  };
}
