import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { unauthorized } from '../status.ts';
import { type AccountTokens, type Verdict, issuer } from './accountTokens.ts';
import { shownBy } from './clientCertificate.ts';
import { type User, anonymous, authenticated, group } from './user.ts';

/** Finds out who asks. */
export interface Authenticator {
  /** Who sent a request; 401 when what it shows is no good, `system:anonymous` when it shows nothing. */
  readonly ofRequest: (request: IncomingMessage) => User;
  readonly ofToken: (token: string, audiences: readonly string[]) => Verdict;
}

/** Who owns the kubeconfig that the cluster writes. */
const admin: User = { name: 'kubernetes-admin', groups: [group.masters] };

/** The audiences of a token that is meant for the API itself. */
export const apiAudiences: readonly string[] = [issuer];

/** Client certificates, the admin's token and the tokens of service accounts, in this order. */
export function createAuthenticator(adminToken: string, accounts: AccountTokens): Authenticator {
  const expected = Buffer.from(adminToken);
  const isAdmin = (token: string) => {
    const given = Buffer.from(token);
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  const owner = authenticated(admin);

  function ofToken(token: string, audiences: readonly string[]): Verdict {
    if (isAdmin(token)) {
      const shared = audiences.filter((audience) => apiAudiences.includes(audience));
      return shared.length === 0 ? { is: 'foreign' } : { is: 'good', user: owner, audiences: shared };
    }
    const verdict = accounts.check(token, audiences);
    return verdict.is === 'good' ? { ...verdict, user: authenticated(verdict.user) } : verdict;
  }

  function ofRequest(request: IncomingMessage): User {
    const shown = shownBy(request);
    if (shown.is === 'somebody') return authenticated(shown.user);
    const token = bearerOf(request);
    if (token === null) {
      if (shown.is === 'bad') throw unauthorized();
      return anonymous;
    }
    const verdict = ofToken(token, apiAudiences);
    if (verdict.is !== 'good') throw unauthorized();
    return verdict.user;
  }

  return { ofRequest, ofToken };
}

function bearerOf({ headers: { authorization = '' } }: IncomingMessage): string | null {
  const [scheme = '', token = ''] = authorization.trim().split(' ');
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : null;
}
