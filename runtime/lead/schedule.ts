import type { Clock } from 'effect';
import type { Memory } from '../pass/memory.ts';
import { monotonicMsOf } from '../services/monotonic.ts';

/** When the next pass of an object is due without an event. */
export interface Schedule {
  /** By the monotonic clock (ms). */
  readonly dueAt: number;
  readonly afterMs: number;
  /** The interval at which it is checked; null when the next check is a single time. */
  readonly everyMs: number | null;
}

/** The requeue that a pass requested. */
interface Requeued {
  /** By the monotonic clock (ms). */
  readonly now: number;
  readonly afterMs: number;
  /** Whether a rule that held requests exactly this interval. */
  readonly isFixed: boolean;
}

/** Checks due this close to each other count as the same. */
const sameMs = 1_000;
const isSameMoment = (a: number, b: number) => Math.abs(a - b) <= sameMs;

/** Whether a rule that held in the last pass requests an interval, not a time. */
export const asksFor = ({ decided }: Memory, afterMs: number): boolean =>
  [...decided.values()].some(
    ({ decision }) =>
      decision.is === 'event' &&
      decision.rule.look !== undefined &&
      'afterMs' in decision.rule.look &&
      decision.rule.look.afterMs === afterMs,
  );

/** Keeps the schedule across a pass in between; two equal waits in a row make an interval. */
export function scheduleAfter(before: Schedule | undefined, { now, afterMs, isFixed }: Requeued): Schedule {
  const dueAt = now + afterMs;
  if (isFixed) return { dueAt, afterMs, everyMs: afterMs };
  if (before && isSameMoment(before.dueAt, dueAt)) return before;
  return { dueAt, afterMs, everyMs: before?.afterMs === afterMs ? afterMs : null };
}

/** Whether a countdown by the first schedule has to be corrected by the second. */
export function isNewSchedule(before: Schedule | undefined, after: Schedule | undefined): boolean {
  if (before === undefined || after === undefined) return before !== after;
  if (before.everyMs !== after.everyMs) return true;
  return after.everyMs === null && !isSameMoment(before.dueAt, after.dueAt);
}

/**
 * When the next pass is due (ms of the epoch) while one runs: the queue knows it only afterwards. Undefined where the
 * running pass was the only one announced. A pass that decides otherwise reports the new schedule.
 */
export function dueDuringPass(schedule: Schedule | undefined, clock: Clock.Clock): number | undefined {
  if (schedule === undefined) return undefined;
  const { dueAt, everyMs } = schedule;
  const leftMs = dueAt - monotonicMsOf(clock);
  const inMs = leftMs > 0 ? leftMs : everyMs;
  return inMs === null ? undefined : Math.round(clock.currentTimeMillisUnsafe() + inMs);
}
