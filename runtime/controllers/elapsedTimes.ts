import type { ReconcileInput } from '../contract/lifecycle.ts';

/** A moment that the wall clock was read for: of which object, which of its moments, and ms since the epoch as written. */
interface Written {
  readonly name: string;
  /** Changes where another moment of this name is meant. */
  readonly id: string;
  readonly writtenMs: number;
}

/**
 * Moments that lie in the past, ms since the epoch by the clock as it stands now: where that was set meanwhile, as much
 * time has passed as the monotonic clock shows since this process first saw the moment.
 */
export interface ElapsedTimes {
  readonly by: (written: Written, moment: Pick<ReconcileInput, 'now' | 'monotonic'>) => number;
  /** A pass in which no moment of this name is written: one that is written later is no older than that. */
  readonly none: (name: string, moment: Pick<ReconcileInput, 'monotonic'>) => void;
  /** Nothing has this name any more. */
  readonly forget: (name: string) => void;
}

interface Seen {
  readonly id: string;
  /** When it was, by the monotonic clock. */
  readonly was: number;
  /** How far the wall clock was ahead of the monotonic clock in the last pass. */
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
