import type { NameLockoutEvent } from '../../machines/names.ts';
import type { VerdictRule } from '../verdict.ts';
import { closed } from '../words.ts';

/** The facts about a sign-in. */
export interface SignInSeen {
  readonly event: NameLockoutEvent['type'];
}

export const signedIn = closed('signed in');
export const signInRefused = closed('the username or the password is wrong');

/** The answer to a sign-in; every refusal is the same. */
export const signInAnswer: readonly VerdictRule<SignInSeen>[] = [
  { reason: 'SignedIn', status: 'True', when: ({ event }) => event === 'signedIn', message: () => signedIn },
  {
    reason: 'Refused',
    status: 'False',
    when: () => true,
    message: () => signInRefused,
  },
];
