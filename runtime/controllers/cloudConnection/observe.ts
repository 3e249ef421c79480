import type { Checked } from '../../../rules/cloud/ready.ts';
import type { Condition, Verdict } from '../../../rules/condition.ts';

const minuteMs = 60_000;
/** A connection that works is checked again after this time, one that does not after a shorter one. */
const retryAfterMs = 10 * minuteMs;
const soonMs = minuteMs;
/** Silence that is shorter than this takes nothing back. */
const timeoutMs = 3 * minuteMs;

/** The last check of a connection, for the settings and keys that it was made with. */
export interface Remembered {
  readonly of: string;
  readonly checked: Checked;
  /** What the Ready condition told when the check began. */
  readonly over: string;
  /** By the monotonic clock (ms), as is the next one. */
  readonly at: number;
  /** When it began to be silent; null where it answered. */
  readonly silentSince: number | null;
}

/** What a condition tells, in one text. */
export const reportedOf = (ready: Verdict | undefined): string =>
  ready === undefined ? '' : `${ready.reason}: ${ready.message}`;

/**
 * Whether another process has reported another result since the check. Two that are both led by their own memory would
 * write over each other without end.
 */
export const isOvertaken = ({ over }: Remembered, own: Verdict, ready: Condition | undefined): boolean =>
  ready !== undefined && ready.reason !== 'Checking' && ![over, reportedOf(own)].includes(reportedOf(ready));

interface Answered extends Pick<Remembered, 'of' | 'over' | 'checked'> {
  readonly now: number;
}

/** What is remembered once the provider was asked: silence takes back what worked only after a while. */
export function following(known: Remembered | undefined, { of, over, checked, now }: Answered): Remembered {
  const silentSince = checked.is === 'silent' ? (known?.silentSince ?? now) : null;
  const isPatient = known?.checked.is === 'works' && silentSince !== null && now - silentSince < timeoutMs;
  return { of, over, checked: isPatient ? known.checked : checked, at: now, silentSince };
}

/** Until the next check; a connection that was silent lately is checked soon, though it still counts as working. */
export const pauseOf = ({ checked, silentSince }: Remembered): number =>
  checked.is === 'works' && silentSince === null ? retryAfterMs : soonMs;
