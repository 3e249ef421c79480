import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { type Client, clientsBehind } from './auth/address.ts';
type Forwarded = 'x-forwarded-for' | 'x-forwarded-proto';

/** What proxies on the way have said, the nearest last. */
export function forwarded({ headers }: IncomingMessage, name: Forwarded): string | undefined {
  const header = headers[name];
  return Array.isArray(header) ? header.join(',') : header;
}

/** Tells who sent a request, by the proxies whose word counts. */
export function clientOf(trustedProxies: readonly string[] | undefined): (request: IncomingMessage) => Client {
  const clients = clientsBehind(trustedProxies);
  return (request) => clients(request.socket.remoteAddress, forwarded(request, 'x-forwarded-for'));
}

/** Whether a request came over TLS to this very process. */
export const isEncrypted = ({ socket }: IncomingMessage): boolean => (socket as Partial<TLSSocket>).encrypted === true;
