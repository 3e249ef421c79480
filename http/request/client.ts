import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { type Client, clientsBehind } from '../auth/address.ts';
type Forwarded = 'x-forwarded-for' | 'x-forwarded-proto';

/** The values that proxies on the way added to a header, the nearest last. */
export function forwarded({ headers }: IncomingMessage, name: Forwarded): string | undefined {
  const header = headers[name];
  return Array.isArray(header) ? header.join(',') : header;
}

/** Identifies the sender of a request behind the trusted proxies. */
export function clientOf(trustedProxies: readonly string[] | undefined): (request: IncomingMessage) => Client {
  const clients = clientsBehind(trustedProxies);
  return (request) => clients(request.socket.remoteAddress, forwarded(request, 'x-forwarded-for'));
}

const isEncrypted = ({ socket }: IncomingMessage): boolean => (socket as Partial<TLSSocket>).encrypted === true;

/** Whether the browser sent a request over TLS, to this process or to a proxy in front of it, which says so. */
export const isHttps = (request: IncomingMessage): boolean =>
  isEncrypted(request) || /^https\s*(,|$)/i.test(forwarded(request, 'x-forwarded-proto') ?? '');
