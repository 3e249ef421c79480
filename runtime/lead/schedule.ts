import type { Memory } from '../pass/memory.ts';

/** When an object gets its next pass without an event. */
export interface Schedule {
  /** By the monotonic clock (ms). */
  readonly dueAt: number;
  readonly afterMs: number;
  /** The interval at which it is checked; null where the next check is a single moment. */
  readonly everyMs: number | null;
}

/** What a pass asked for. */
interface Requeued {
  /** By the monotonic clock (ms). */
  readonly now: number;
  readonly afterMs: number;
  /** Whether a rule that held asks for exactly this interval. */
  readonly isFixed: boolean;
}

/** Two checks that are due this close to each other are the same one. */
const sameMs = 1_000;
const isSameMoment = (a: number, b: number) => Math.abs(a - b) <= sameMs;

/** Whether a rule that held in the last pass asks for an interval, not for a moment. */
export const asksFor = ({ decided }: Memory, afterMs: number): boolean =>
  [...decided.values()].some(
    ({ decision }) =>
      decision.is === 'event' &&
      decision.rule.look !== undefined &&
      'afterMs' in decision.rule.look &&
      decision.rule.look.afterMs === afterMs,
  );

/** A pass in between leaves the schedule; what waits equally long twice in a row is checked at that interval. */
export function scheduleAfter(before: Schedule | undefined, { now, afterMs, isFixed }: Requeued): Schedule {
  const dueAt = now + afterMs;
  if (isFixed) return { dueAt, afterMs, everyMs: afterMs };
  if (before && isSameMoment(before.dueAt, dueAt)) return before;
  return { dueAt, afterMs, everyMs: before?.afterMs === afterMs ? afterMs : null };
}

/** Whether a reader who counts down by the one schedule has to be told the other. */
export function isNewSchedule(before: Schedule | undefined, after: Schedule | undefined): boolean {
  if (before === undefined || after === undefined) return before !== after;
  if (before.everyMs !== after.everyMs) return true;
  return after.everyMs === null && !isSameMoment(before.dueAt, after.dueAt);
}
