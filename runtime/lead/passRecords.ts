import { Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { freshMemory, type Memory } from '../pass/memory.ts';
import { monotonicMs } from '../services/monotonic.ts';
import { asksFor, isNewSchedule, type Schedule, scheduleAfter } from './schedule.ts';

/** Why the last pass of an object failed. */
export interface PassFailure {
  readonly text: string;
  readonly count: number;
}

/** The records of a leadership about objects between their passes, by the key of the queue. */
export interface PassRecords {
  readonly memory: (key: string) => Memory | undefined;
  /** The memory for the next pass of an object; `isNew` when a new object has the name, which inherits nothing. */
  readonly memoryOf: (key: string, object: KubeObject) => { readonly memory: Memory; readonly isNew: boolean };
  readonly failure: (key: string) => PassFailure | undefined;
  /** Records the failure of a pass; null for success. Returns whether the failures began or ended. */
  readonly setFailure: (key: string, text: string | null) => boolean;
  readonly failedKeys: () => readonly string[];
  readonly schedule: (key: string) => Schedule | undefined;
  /**
   * Whether the next pass is due at another time or interval than before; one that is due at once is no schedule, and
   * null is none.
   */
  readonly reschedule: (key: string, afterMs: number | null) => Effect.Effect<boolean>;
  readonly unschedule: (key: string) => void;
  /** Drops the records of a deleted object, except its failures. */
  readonly forget: (key: string) => void;
}

export function makePassRecords(): PassRecords {
  const memories = new Map<string, Memory>();
  const failures = new Map<string, PassFailure>();
  const schedules = new Map<string, Schedule>();

  return {
    memory: (key) => memories.get(key),
    memoryOf: (key, { metadata: { uid } }) => {
      const known = memories.get(key);
      if (known && known.uid === uid) return { memory: known, isNew: false };
      const memory = freshMemory(uid);
      memories.set(key, memory);
      return { memory, isNew: known !== undefined };
    },
    failure: (key) => failures.get(key),
    setFailure: (key, text) => {
      const before = failures.get(key);
      if (text === null) failures.delete(key);
      else failures.set(key, { text, count: (before?.count ?? 0) + 1 });
      return (before === undefined) !== (text === null);
    },
    failedKeys: () => [...failures.keys()],
    schedule: (key) => schedules.get(key),
    reschedule: Effect.fnUntraced(function* (key, afterMs) {
      if (afterMs === 0) return false;
      const before = schedules.get(key);
      if (afterMs === null) return schedules.delete(key);
      const memory = memories.get(key);
      const isFixed = memory !== undefined && asksFor(memory, afterMs);
      const after = scheduleAfter(before, { now: yield* monotonicMs, afterMs, isFixed });
      schedules.set(key, after);
      return isNewSchedule(before, after);
    }),
    unschedule: (key) => void schedules.delete(key),
    forget: (key) => {
      memories.delete(key);
      schedules.delete(key);
    },
  };
}
