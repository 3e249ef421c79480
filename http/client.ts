import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { countedAddress } from './auth/address.ts';

type Forwarded = 'x-forwarded-for' | 'x-forwarded-proto';

/** What proxies on the way have said, the nearest last. */
export function forwarded({ headers }: IncomingMessage, name: Forwarded): string | undefined {
  const header = headers[name];
  return Array.isArray(header) ? header.join(',') : header;
}

/** The public address that a request came from; null for one that many people may share (decision 30). */
export const publicAddressOf = (request: IncomingMessage): string | null =>
  countedAddress(request.socket.remoteAddress, forwarded(request, 'x-forwarded-for'));

/** Whether a request came over TLS to this very process. */
export const isEncrypted = ({ socket }: IncomingMessage): boolean => (socket as Partial<TLSSocket>).encrypted === true;
