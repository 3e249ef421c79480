import type { Checked } from '../../../rules/cloud/ready.ts';
import type { Condition, Verdict } from '../../../rules/condition.ts';

const minuteMs = 60_000;
/** The interval of checks of a working connection; a failing one is checked sooner. */
const retryAfterMs = 10 * minuteMs;
const soonMs = minuteMs;
/** A shorter silence does not change Ready. */
const timeoutMs = 3 * minuteMs;

/** The last check of a connection, for the settings and keys that it was made with. */
export interface Remembered {
  readonly of: string;
  readonly checked: Checked;
  /** The Ready condition when the check began. */
  readonly over: string;
  /** By the monotonic clock (ms), as is the next one. */
  readonly at: number;
  /** When the provider stopped responding; null while it responds. */
  readonly silentSince: number | null;
}

/** The content of a condition as one text. */
export const reportedOf = (ready: Verdict | undefined): string =>
  ready === undefined ? '' : `${ready.reason}: ${ready.message}`;

/**
 * Whether another process has reported another result since the check. Two processes that both trust their own memory
 * would overwrite each other endlessly.
 */
export const isOvertaken = ({ over }: Remembered, own: Verdict, ready: Condition | undefined): boolean =>
  ready !== undefined && ready.reason !== 'Checking' && ![over, reportedOf(own)].includes(reportedOf(ready));

interface Answered extends Pick<Remembered, 'of' | 'over' | 'checked'> {
  readonly now: number;
}

/** The memory after a check: a silent provider changes a working result only after a while. */
export function following(known: Remembered | undefined, { of, over, checked, now }: Answered): Remembered {
  const silentSince = checked.is === 'silent' ? (known?.silentSince ?? now) : null;
  const isPatient = known?.checked.is === 'works' && silentSince !== null && now - silentSince < timeoutMs;
  return { of, over, checked: isPatient ? known.checked : checked, at: now, silentSince };
}

/** The time until the next check; a recently silent connection is checked soon, though it still counts as working. */
export const pauseOf = ({ checked, silentSince }: Remembered): number =>
  checked.is === 'works' && silentSince === null ? retryAfterMs : soonMs;
