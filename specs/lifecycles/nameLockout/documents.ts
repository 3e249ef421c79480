import type { NameLockoutEvent, NameLockoutState } from '../../../machines/names.ts';
import type { Absence } from '../../../rules/engine.ts';
import type { SignInSeen } from '../../../rules/nameLockout/answer.ts';
import type { NameLockoutFacts } from '../../../rules/nameLockout/facts.ts';

/** The documents on a locked name, as plain ifs. */
export function nameLockoutDocuments(
  state: NameLockoutState | Absence,
  { now, asked, configured, record, otherRecords, passwordRight }: NameLockoutFacts,
): NameLockoutEvent['type'] | null {
  if (state === '(none)') return null;
  if (now < record.since || record.lockedUntil - now > 60_000) return 'clockSetBack';
  if (state === 'Locked') {
    if (record.lockedUntil <= now) return 'lockEnded';
    return asked === 'signIn' ? 'triedWhileLocked' : 'lockEndAwaited';
  }
  if (asked !== 'signIn') return 'signInAwaited';
  if (!configured) return 'unknownNameTried';
  if (passwordRight.is === 'known' && passwordRight.value) return 'signedIn';
  const minuteRuns = record.failures >= 1 && now - record.since < 60_000;
  if (minuteRuns) return record.failures >= 4 ? 'failedFifth' : 'failedAgain';
  return otherRecords > 255 ? 'failedFirstOfMany' : 'failedFirst';
}

/** The one refusal: the id of the row. */
export const signInAnswerDocuments = ({ event }: SignInSeen): string => (event === 'signedIn' ? 'AUT-099' : 'AUT-050');
