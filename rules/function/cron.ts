import { Cron } from 'croner';
import { isoTime } from '../time.ts';

const month = 'JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC';
const weekday = 'SUN|MON|TUE|WED|THU|FRI|SAT';
const field = (value: string) => {
  const part = `(?:\\*|(?:${value})(?:-(?:${value}))?)(?:/\\d+)?`;
  return new RegExp(`^${part}(?:,${part})*$`, 'i');
};
/** The syntax that Kubernetes and croner read alike: no seconds, no `L` or `#`. */
const fields = [
  field('\\d+'),
  field('\\d+'),
  field('\\d+'),
  field(`\\d+|${month}`),
  // Sunday is 0 for both, and 7 for croner alone.
  field(`[0-6]|${weekday}`),
];

/** Whether a cron expression has five fields that both Kubernetes and we understand. */
export function isCron(text: string): boolean {
  const parts = text.trim().split(/\s+/);
  const isShaped = parts.length === fields.length && fields.every((shape, at) => shape.test(parts[at] ?? ''));
  return isShaped && read(text) !== null;
}

function read(text: string): Cron | null {
  // Kubernetes treats every day as `*`, so the other day field decides alone.
  const usual = text.trim().replaceAll(/(^|[\s,])\*\/0*1(?=[\s,]|$)/g, '$1*');
  try {
    return new Cron(usual, { mode: '5-part', timezone: 'UTC', paused: true, sloppyRanges: true });
  } catch {
    return null;
  }
}

/** When a schedule is due next, in ms since the epoch; null for an invalid one, or one that is never due. */
export const nextTime = (cron: string, now: number): number | null =>
  isCron(cron) ? (read(cron)?.nextRun(isoTime(now))?.getTime() ?? null) : null;
