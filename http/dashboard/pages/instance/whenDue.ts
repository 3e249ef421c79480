import { useEffect } from 'preact/hooks';
import { type Check, nextCheckMs } from '../../../../rules/nextCheck.ts';
import { now } from '../../store/clock.ts';

const graceMs = 1000;
const retryAfterMs = 5000;

/** How many times the result of a check should have been asked for; of a check at an interval, once for each. */
function askedTimes(check: Check, at: number): number {
  const lateMs = at - Date.parse(check.at);
  if (check.everyMs === undefined) return Math.floor((lateMs - graceMs) / retryAfterMs) + 1;
  return Math.round((nextCheckMs(check, at) - Date.parse(check.at)) / check.everyMs);
}

/** Calls back once an announced check is due, and again while its result does not come or when the next one is due. */
export function useWhenDue(check: Check | null, onDue: () => void): void {
  const times = check === null ? 0 : askedTimes(check, now.value);
  useEffect(() => {
    if (times > 0) onDue();
  }, [times]);
}
