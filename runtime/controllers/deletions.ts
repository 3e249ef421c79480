import type { KubeObject } from '../../crds/kind.ts';
import { msOf } from '../../rules/time.ts';
import type { Moment } from '../lifecycle.ts';

/**
 * When deletions began, ms since the epoch by the clock as it stands now: where that was set meanwhile, as much time has
 * passed as the monotonic clock shows since this process first saw the deletion.
 */
export interface Deletions {
  /** Null where an object is not being deleted. */
  readonly since: (object: KubeObject, moment: Pick<Moment, 'now' | 'monotonic'>) => number | null;
}

interface Seen {
  readonly uid: string;
  /** When it began, by the monotonic clock. */
  readonly begun: number;
  /** How far the wall clock was ahead of the monotonic clock in the last pass. */
  readonly ahead: number;
}

export function makeDeletions(): Deletions {
  // By name, so that what is kept does not grow with every object that came and went.
  const seen = new Map<string, Seen>();
  return {
    since: ({ metadata }, { now, monotonic }) => {
      const { name, uid = '', deletionTimestamp } = metadata;
      if (deletionTimestamp === undefined) return null;
      const known = seen.get(name);
      const before = known?.uid === uid ? known : undefined;
      const written = Math.min(msOf(deletionTimestamp), now);
      if (monotonic === undefined) return before === undefined ? written : Math.round(before.begun + before.ahead);
      const ahead = now - monotonic;
      const begun = before?.begun ?? written - ahead;
      seen.set(name, { uid, begun, ahead });
      return Math.round(begun + ahead);
    },
  };
}
