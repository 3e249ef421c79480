import type { IncomingMessage } from 'node:http';
import { Refusal } from './answer.ts';
import { refusalOfJwt, type Signer } from './jwt.ts';
import type { Tokens } from './tokens.ts';

/** The token of a request: `Bearer`, `token`, or the password of Basic; null without any. */
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

/** From this machine, and not sent by a web page of somebody else. */
const isLocal = ({ socket, headers }: IncomingMessage) =>
  /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '') && headers.origin === undefined;

/** Who may ask for what. */
export interface Doors {
  /** Holders of a token. */
  readonly token: (request: IncomingMessage) => void;
  /** Holders of a token, and anybody on this machine who shows none. */
  readonly tokenOrLocal: (request: IncomingMessage) => void;
  /** The application, by a token it signed itself. */
  readonly application: (request: IncomingMessage) => void;
  readonly local: (request: IncomingMessage) => void;
}

export function doorsOf(tokens: Tokens, signer: Signer): Doors {
  const token = (request: IncomingMessage) => {
    if (!tokens.accepts(tokenIn(request) ?? '')) throw new Refusal(401, 'Bad credentials');
  };
  return {
    token,
    tokenOrLocal: (request) => {
      if (tokenIn(request) !== null || !isLocal(request)) token(request);
    },
    application: (request) => {
      const why = refusalOfJwt(tokenIn(request) ?? '', signer, Date.now() / 1_000);
      if (why !== null) throw new Refusal(401, why);
    },
    local: (request) => {
      if (!isLocal(request)) throw new Refusal(403, 'only programs on this machine may ask for this');
    },
  };
}
