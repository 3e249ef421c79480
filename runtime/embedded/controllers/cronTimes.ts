import type { CronFields, CronSchedule } from '../api/kinds/cronSchedule.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** A day that comes less often than this, such as the 31st of February, never comes. */
const longestSearchDays = 5 * 366;

/** How far the clocks of a time zone are ahead of UTC. */
function offsetsOf(timeZone: string): (time: number) => number {
  if (timeZone === 'UTC') return () => 0;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  return (time) => {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
    const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
    return wall - Math.floor(time / minuteMs) * minuteMs;
  };
}

/** The first time after another at which a schedule is due; Infinity when it never is. */
export function nextTime(schedule: CronSchedule, timeZone: string, after: number): number {
  if (schedule.is === 'every') return Math.floor(after / 1_000) * 1_000 + schedule.ms;
  const offsetAt = offsetsOf(timeZone);
  const wallNow = after + offsetAt(after);
  const today = Math.floor(wallNow / dayMs) * dayMs;
  // One day back: clocks that were set back may show yesterday again.
  for (let index = -1; index < longestSearchDays; index += 1) {
    const day = today + index * dayMs;
    if (!isDue(schedule.fields, new Date(day))) continue;
    const found = firstOf(schedule.fields, day, { after, offsetAt });
    if (found !== null) return found;
  }
  return Infinity;
}

function isDue({ days, months, weekdays, anyDay, anyWeekday }: CronFields, day: Date): boolean {
  if (!months.has(day.getUTCMonth() + 1)) return false;
  const onDay = days.has(day.getUTCDate());
  const onWeekday = weekdays.has(day.getUTCDay());
  return anyDay || anyWeekday ? onDay && onWeekday : onDay || onWeekday;
}

function firstOf(
  { hours, minutes }: CronFields,
  day: number,
  { after, offsetAt }: { readonly after: number; readonly offsetAt: (time: number) => number },
): number | null {
  for (const hour of [...hours].sort((a, b) => a - b)) {
    const wall = day + hour * 60 * minuteMs;
    // No clock is further than a day from UTC, and none is set by more than some hours.
    if (wall + dayMs < after) continue;
    const times = [...minutes].flatMap((minute) => timesOf(wall + minute * minuteMs, offsetAt));
    const next = Math.min(...times.filter((time) => time > after));
    if (Number.isFinite(next)) return next;
  }
  return null;
}

/** When the clocks on the wall show a time: never, once or twice. */
function timesOf(wall: number, offsetAt: (time: number) => number): readonly number[] {
  const offsets = new Set([offsetAt(wall - dayMs / 2), offsetAt(wall), offsetAt(wall + dayMs / 2)]);
  return [...offsets].map((offset) => wall - offset).filter((time) => time + offsetAt(time) === wall);
}

/** The last time up to now, and after another, at which a schedule was due; null when it was not. */
export function latestTime(schedule: CronSchedule, timeZone: string, after: number, now: number): number | null {
  if (schedule.is === 'every') {
    const first = nextTime(schedule, timeZone, after);
    return first > now ? null : first + Math.floor((now - first) / schedule.ms) * schedule.ms;
  }
  for (let span = 2 * minuteMs; ; span *= 4) {
    const from = Math.max(after, now - span);
    let found: number | null = null;
    for (let time = nextTime(schedule, timeZone, from); time <= now; time = nextTime(schedule, timeZone, time))
      found = time;
    if (found !== null || from === after) return found;
  }
}

/** How many times up to now, and after another, a schedule was due, taking the distance of the first two for that of all. */
export function missedTimes(schedule: CronSchedule, timeZone: string, after: number, now: number): number {
  const first = nextTime(schedule, timeZone, after);
  if (first > now) return 0;
  const second = nextTime(schedule, timeZone, first);
  return second > now ? 1 : Math.floor((now - first) / (second - first)) + 1;
}

/** A time as the clocks of a zone show it, such as `2030-07-01T08:00:00-04:00`; that of UTC ends in `Z`. */
export function zonedTime(time: number, timeZone = 'UTC'): string {
  const ahead = offsetsOf(timeZone)(time) / minuteMs;
  const wall = new Date(time + ahead * minuteMs).toISOString().slice(0, 19);
  if (ahead === 0) return `${wall}Z`;
  const two = (part: number) => String(Math.floor(part)).padStart(2, '0');
  return `${wall}${ahead < 0 ? '-' : '+'}${two(Math.abs(ahead) / 60)}:${two(Math.abs(ahead) % 60)}`;
}
