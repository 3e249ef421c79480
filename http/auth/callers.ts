import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../../rules/access/caller.ts';
import { cookieIn } from './cookie.ts';
import type { Sessions } from './sessions.ts';
import type { Tokens } from './tokens.ts';

/** Identifies the caller of a request. */
export interface Callers {
  /** Null for anonymous requests, and for invalid or expired credentials. A Bearer token wins over a cookie. */
  readonly of: (headers: IncomingHttpHeaders) => Caller | null;
  /** Called when somebody may have lost a session, a token or a role. */
  readonly onChange: (listener: () => void) => () => void;
}

const bearer = /^bearer\s+(\S+)\s*$/i;

/** Whether the request carries a token, valid or not. */
export const hasBearer = ({ authorization = '' }: IncomingHttpHeaders): boolean => /^bearer\s/i.test(authorization);

export const makeCallers = (sessions: Sessions, tokens: Tokens): Callers => ({
  of: (headers) => {
    if (!hasBearer(headers)) return sessions.callerOf(cookieIn(headers.cookie));
    return tokens.callerOf(bearer.exec(headers.authorization ?? '')?.[1] ?? '');
  },
  onChange: (listener) => {
    const forget = [sessions.onChange(listener), tokens.onChange(listener)];
    return () => {
      for (const one of forget) one();
    };
  },
});
