import type { DeviceSignInState } from '../../../machines/names.ts';
import type { PollSeen } from '../../../rules/deviceSignIn/answer.ts';
import type { DeviceAsked, DeviceSignInFacts } from '../../../rules/deviceSignIn/facts.ts';
import type { Absence } from '../../../rules/engine.ts';

type Happened = PollSeen['event'];

/** The documents on device sign-in, as plain ifs. */
export function deviceSignInDocuments(state: DeviceSignInState | Absence, facts: DeviceSignInFacts): Happened | null {
  if (state === '(none)') return absentEvent(facts);
  const age = facts.now - facts.issuedAt;
  if (age < 0 || (facts.lastPollAt !== null && facts.lastPollAt > facts.now)) return 'clockSetBack';
  if (state === 'Pending') return age >= 600_000 ? 'expired' : pending(facts);
  if (state === 'Approved') return age >= 600_000 ? 'expired' : approved(facts);
  return age >= 1_200_000 ? 'outlived' : over(state, facts);
}

function absentEvent({ asked, pending: waiting, mayGiveWay, startsOfAddress }: DeviceSignInFacts): Happened | null {
  if (asked === null) return null;
  if (asked.is === 'poll') return 'unknownCodePolled';
  if (asked.is === 'giveWay') return null;
  if (asked.is !== 'start') return 'unknownCodeDecided';
  if (waiting > 99 && !mayGiveWay) return 'tooManyPending';
  if (startsOfAddress > 9) return 'startedTooOften';
  return waiting > 99 ? 'startedInPlace' : 'started';
}

function pending({ now, asked, lastPollAt, intervalMs }: DeviceSignInFacts): Happened | null {
  if (asked?.is === 'poll') return lastPollAt !== null && now - lastPollAt < intervalMs ? 'polledTooFast' : 'polled';
  if (asked?.is === 'giveWay') return 'gaveWay';
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
  return isDecision(asked) ? 'decidedAgain' : null;
}

const isDecision = ({ is }: DeviceAsked) => is === 'approve' || is === 'refuse';

function over(state: DeviceSignInState, { asked }: DeviceSignInFacts): Happened | null {
  if (asked === null) return 'forgettingAwaited';
  if (asked.is !== 'poll') return isDecision(asked) ? 'decidedAgain' : null;
  if (state === 'Refused') return 'polledAfterRefusal';
  return state === 'Issued' ? 'polledAfterIssue' : 'polledAfterExpiry';
}

/** The RFC 8628 responses to a poll, by the id of the row. */
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
