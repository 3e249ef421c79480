import type { DeviceSignInEvent } from '../../machines/names.ts';
import type { VerdictRule } from '../verdict.ts';

/** The facts about a poll. */
export interface PollSeen {
  readonly event: DeviceSignInEvent['type'];
}

const is =
  (event: PollSeen['event']) =>
  (seen: PollSeen): boolean =>
    seen.event === event;

/** The error code that answers a poll, by RFC 8628 (decision 115). */
export const pollAnswer: readonly VerdictRule<PollSeen, string>[] = [
  { reason: 'SlowDown', status: 'False', when: is('polledTooFast'), message: () => 'slow_down' },
  { reason: 'AuthorizationPending', status: 'Unknown', when: is('polled'), message: () => 'authorization_pending' },
  { reason: 'AccessDenied', status: 'False', when: is('polledAfterRefusal'), message: () => 'access_denied' },
  // A used or unknown code counts as expired, so that the client gives up.
  { reason: 'ExpiredToken', status: 'False', when: () => true, message: () => 'expired_token' },
];
