import type { DeviceSignInEvent } from '../../machines/names.ts';
import type { VerdictRule } from '../verdict.ts';

/** What a poll was found to be. */
export interface PollSeen {
  readonly event: DeviceSignInEvent['type'];
}

const is =
  (event: PollSeen['event']) =>
  (seen: PollSeen): boolean =>
    seen.event === event;

/** The error a poll is answered, in the words of RFC 8628 (decision 115). */
export const pollAnswer: readonly VerdictRule<PollSeen, string>[] = [
  { reason: 'SlowDown', status: 'False', when: is('polledTooFast'), message: () => 'slow_down' },
  { reason: 'AuthorizationPending', status: 'Unknown', when: is('polled'), message: () => 'authorization_pending' },
  { reason: 'AccessDenied', status: 'False', when: is('polledAfterRefusal'), message: () => 'access_denied' },
  // A code that was used up or that nobody knows is as good as expired: the client gives up.
  { reason: 'ExpiredToken', status: 'False', when: () => true, message: () => 'expired_token' },
];
