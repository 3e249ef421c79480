import type { Verdict } from '../condition.ts';
import type { VerdictRule } from '../verdict.ts';
import { closed, hidden, sentence } from '../words.ts';

/** The facts about a connection to the Git host and its Secret. */
export interface ConnectionFacts {
  readonly secret: string;
  readonly secretFound: boolean;
  readonly hasToken: boolean;
  /** Whether the platform's application renews the token. */
  readonly renewed: boolean;
  /** Whether the token was renewed and has not expired. */
  readonly fresh: boolean;
  /** Why the last renewal failed; empty when it succeeded. */
  readonly failure: string;
}

const renewing = 'TokenRenewing';

/** Whether a connection that is not ready is expected to be without anybody's help, by its Ready condition. */
export const isComing = (ready: Pick<Verdict, 'reason'> | null): boolean => ready === null || ready.reason === renewing;

/** The Ready condition of a connection, in the order checked. */
export const connectionReady: readonly VerdictRule<ConnectionFacts>[] = [
  {
    reason: 'SecretMissing',
    status: 'False',
    when: ({ secretFound }) => !secretFound,
    message: ({ secret }) => sentence('Secret "{secret}" was not found', { secret: hidden(secret) }),
  },
  {
    reason: 'TokenMissing',
    status: 'False',
    when: ({ renewed, hasToken }) => !renewed && !hasToken,
    message: ({ secret }) => sentence('Secret "{secret}" has no key "token"', { secret: hidden(secret) }),
  },
  {
    reason: 'TokenRefused',
    status: 'False',
    when: ({ renewed, fresh, failure }) => renewed && !fresh && failure !== '',
    message: ({ failure }) => sentence('the token could not be renewed: {failure}', { failure: hidden(failure) }),
  },
  {
    reason: renewing,
    status: 'False',
    when: ({ renewed, fresh }) => renewed && !fresh,
    message: () => closed('the token is being renewed'),
  },
  { reason: 'TokenReady', status: 'True', when: () => true, message: () => closed('the token is ready') },
];
