import type { NameLockoutEvent } from '../../machines/names.ts';
import type { VerdictRule } from '../verdict.ts';
import { closed } from '../words.ts';

/** What a sign-in was found to be. */
export interface SignInSeen {
  readonly event: NameLockoutEvent['type'];
}

export const signedIn = closed('signed in');
export const signInRefused = closed('the username or the password is wrong');

/** What a sign-in is answered; every refusal alike. */
export const signInAnswer: readonly VerdictRule<SignInSeen>[] = [
  { reason: 'SignedIn', status: 'True', when: ({ event }) => event === 'signedIn', message: () => signedIn },
  {
    reason: 'Refused',
    status: 'False',
    when: () => true,
    message: () => signInRefused,
  },
];
