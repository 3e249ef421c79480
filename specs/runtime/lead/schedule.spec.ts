import type { Clock } from 'effect';
import * as assert from 'uvu/assert';
import { dueDuringPass, isNewSchedule, type Schedule, scheduleAfter } from '../../../runtime/lead/schedule.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('the schedule of an object');

const minute = 60_000;
const moment = { dueAt: 10 * minute, afterMs: 10 * minute, everyMs: null };
const interval = { dueAt: 30_000, afterMs: 30_000, everyMs: 30_000 };
const after = (before: Schedule | undefined, now: number, afterMs: number, isFixed = false) =>
  scheduleAfter(before, { now, afterMs, isFixed });

spec('an interval requested by a rule applies from the first pass', () => {
  assert.equal(after(undefined, 0, 30_000, true), interval);
  assert.equal(after(interval, 30_000, 30_000, true), { ...interval, dueAt: 60_000 });
});

spec('a check becomes an interval when the same wait comes twice in a row', () => {
  const first = after(undefined, 0, 10 * minute);
  assert.equal(first, moment);
  assert.is(after(first, 10 * minute, 10 * minute).everyMs, 10 * minute);
  assert.is(after(first, 10 * minute, 7 * minute).everyMs, null);
});

spec('a pass before the next check keeps the schedule', () => {
  const known = { ...moment, everyMs: 10 * minute };
  assert.is(after(known, 4 * minute, 6 * minute), known);
});

spec('a schedule is new when its interval or its moment changed', () => {
  assert.not(isNewSchedule(interval, { ...interval, dueAt: 60_000 }));
  assert.not(isNewSchedule(moment, { ...moment, dueAt: moment.dueAt + 400 }));
  assert.not(isNewSchedule(undefined, undefined));
  assert.ok(isNewSchedule(interval, { ...interval, everyMs: 5_000 }));
  assert.ok(isNewSchedule(moment, { ...moment, dueAt: moment.dueAt + minute }));
  assert.ok(isNewSchedule(undefined, moment));
  assert.ok(isNewSchedule(interval, undefined));
});

spec('while a pass runs, the next check is the announced one, or one interval away', () => {
  const at = Date.UTC(2027, 0, 1);
  const dueAfter = (schedule: Schedule | undefined, monotonic: number) => {
    const clock = {
      currentTimeMillisUnsafe: () => at,
      monotonicTimeNanosUnsafe: () => BigInt(monotonic) * 1_000_000n,
    } as Clock.Clock;
    const due = dueDuringPass(schedule, clock);
    return due === undefined ? undefined : due - at;
  };
  assert.is(dueAfter(moment, minute), 9 * minute);
  assert.is(dueAfter(interval, 30_000), 30_000);
  assert.is(dueAfter(moment, 10 * minute), undefined);
  assert.is(dueAfter(undefined, 0), undefined);
});

spec.run();
