import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { Refusal } from './answer.ts';
import type { Apps } from './apps.ts';
import { refusalOfJwt } from './jwt.ts';
import type { Tokens } from './tokens.ts';

/** The token of a request: from `Bearer`, `token`, or the password of Basic; null without any. */
export function tokenIn({ headers }: IncomingMessage): string | null {
  const [, scheme = '', value = ''] = /^(\S+)\s+(.*)$/.exec(headers.authorization ?? '') ?? [];
  switch (scheme.toLowerCase()) {
    case 'bearer':
    case 'token':
      return value;
    case 'basic':
      return Buffer.from(value, 'base64')
        .toString('utf8')
        .replace(/^[^:]*:/, '');
    default:
      return headers.authorization === undefined ? null : '';
  }
}

const isLoopback = (address: string) => /^(::ffff:)?127\.|^::1$/.test(address);

/**
 * Host names that a program on this machine uses; a foreign web page uses its own name, even when that resolves to this
 * machine.
 */
function isOwnName(name: string): boolean {
  const bare = name.replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare) !== 0) return isLoopback(bare);
  return /^(.+\.)?localhost$/.test(name) || name === hostname().toLowerCase();
}

const hostOf = ({ headers }: IncomingMessage) => new URL(`http://${headers.host ?? ''}`);

/** Why a request does not count as one of a program on this machine; null if it does. */
function whyNotLocal(request: IncomingMessage): string | null {
  const { socket, headers } = request;
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  if (!isLoopback(socket.remoteAddress ?? '')) return 'only programs on this machine may ask for this';
  if (!URL.canParse(`http://${host}`) || !isOwnName(hostOf(request).hostname))
    return `only programs on this machine may ask for this, and "${host}" is no name of it`;
  const isOtherOrigin = origin !== undefined && origin !== hostOf(request).origin;
  if (isOtherOrigin || site === 'cross-site' || site === 'same-site')
    return `only programs on this machine may ask for this, and no page of ${origin ?? 'another site'}`;
  return null;
}

/** The access checks of the routes. */
export interface AccessChecks {
  /** Holders of a token. */
  readonly token: (request: IncomingMessage) => void;
  /** Holders of a token, and programs on this machine that send none. */
  readonly tokenOrLocal: (request: IncomingMessage) => void;
  /** The application, by a token it signed itself. */
  readonly application: (request: IncomingMessage) => void;
  readonly local: (request: IncomingMessage) => void;
  /** Any client, for reads. */
  readonly anyone: () => void;
}

export function accessChecksOf(tokens: Tokens, apps: Pick<Apps, 'of'>): AccessChecks {
  const token = (request: IncomingMessage) => {
    if (!tokens.accepts(tokenIn(request) ?? '')) throw new Refusal(401, 'Bad credentials');
  };
  return {
    token,
    tokenOrLocal: (request) => {
      if (tokenIn(request) !== null || whyNotLocal(request) !== null) token(request);
    },
    application: (request) => {
      const jwt = tokenIn(request) ?? '';
      const why = refusalOfJwt(jwt, apps.of(jwt), Date.now() / 1_000);
      if (why !== null) throw new Refusal(401, why);
    },
    anyone: () => {},
    local: (request) => {
      const why = whyNotLocal(request);
      if (why !== null) throw new Refusal(403, why);
    },
  };
}
