import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { refuse } from './orThrow.ts';
import { isSameOrigin } from './auth/origin.ts';
import { isPlainHost } from './response/securityHeaders.ts';
import { asksForSocket, isSocketPath } from './console/socketRequest.ts';

const hostsOf = ({ rawHeaders }: IncomingMessage): readonly string[] =>
  rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host');

/** Whether a request names exactly one valid host; only HTTP/1.0 may omit it. */
function hasHost(request: IncomingMessage): boolean {
  const [host, ...more] = hostsOf(request);
  if (host === undefined) return request.httpVersion === '1.0';
  return more.length === 0 && isPlainHost(host);
}

/** Refuses requests that a proxy may have parsed differently, and WebSockets where none is served. */
export const validateRequest: Middleware = (ctx, next) => {
  if (!hasHost(ctx.req)) return refuse(ctx, 400, 'the Host header is missing or malformed');
  if (asksForSocket(ctx.req) && !isSocketPath(ctx.path)) {
    if (!isSameOrigin(ctx.req.headers)) return refuse(ctx, 403, 'request origin could not be verified');
    return refuse(ctx, 400, 'no WebSocket is served at this address');
  }
  return next();
};
