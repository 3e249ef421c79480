import type { DeviceSignInState } from '../../../machines/deviceSignIn.ts';
import type { PollSeen } from '../../../rules/deviceSignIn/answer.ts';
import type { DeviceSignInFacts } from '../../../rules/deviceSignIn/facts.ts';
import type { Absence } from '../../../rules/engine.ts';

type Happened = PollSeen['event'];

/** The documents on device sign-in, as plain ifs. */
export function deviceSignInDocuments(state: DeviceSignInState | Absence, facts: DeviceSignInFacts): Happened | null {
  if (state === '(none)') return unborn(facts);
  const age = facts.now - facts.issuedAt;
  if (state === 'Pending') return age >= 600_000 ? 'expired' : pending(facts);
  if (state === 'Approved') return age >= 600_000 ? 'expired' : approved(facts);
  return age >= 1_200_000 ? 'outlived' : over(state, facts);
}

function unborn({ asked, pending: waiting, startsOfAddress }: DeviceSignInFacts): Happened | null {
  if (asked === null) return null;
  if (asked.is === 'poll') return 'unknownCodePolled';
  if (asked.is !== 'start') return 'unknownCodeDecided';
  if (waiting > 99) return 'tooManyPending';
  return startsOfAddress > 9 ? 'startedTooOften' : 'started';
}

function pending({ now, asked, lastPollAt, intervalMs }: DeviceSignInFacts): Happened | null {
  if (asked?.is === 'poll') return lastPollAt !== null && now - lastPollAt < intervalMs ? 'polledTooFast' : 'polled';
  if (asked === null) return 'decisionAwaited';
  if (asked.is === 'start') return null;
  if (asked.by.with === 'token') return 'tokenTriedToDecide';
  if (asked.by.role !== 'admin') return 'viewerTriedToDecide';
  if (asked.is === 'refuse') return 'refused';
  return isOffered(asked.access, asked.lifetimeDays) ? 'approved' : 'choiceRefused';
}

const isOffered = (access: string | null, days: number) =>
  (access === null || /^(admin|observer|viewer)$/.test(access)) && (days === 7 || days === 30 || days === 90);

function approved({ asked }: DeviceSignInFacts): Happened | null {
  if (asked === null) return 'collectionAwaited';
  if (asked.is === 'poll') return 'tokenCollected';
  return asked.is === 'start' ? null : 'decidedAgain';
}

function over(state: DeviceSignInState, { asked }: DeviceSignInFacts): Happened | null {
  if (asked === null) return 'forgettingAwaited';
  if (asked.is !== 'poll') return asked.is === 'start' ? null : 'decidedAgain';
  if (state === 'Refused') return 'polledAfterRefusal';
  return state === 'Issued' ? 'polledAfterIssue' : 'polledAfterExpiry';
}

/** The answers of RFC 8628 to a poll: the id of the row. */
export function pollAnswerDocuments({ event }: PollSeen): string {
  switch (event) {
    case 'polledTooFast':
      return 'DEV-017';
    case 'polled':
      return 'DEV-030';
    case 'polledAfterRefusal':
      return 'DEV-031';
    default:
      return 'DEV-032';
  }
}
