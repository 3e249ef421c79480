import type { IncomingHttpHeaders } from 'node:http';
import type { Middleware } from 'koa';
import { refuse } from '../orThrow.ts';
import { hasBearer } from './callers.ts';
import { cookieIn } from './cookie.ts';

/** The host of an address, in the form of a Host header for that scheme. */
function hostsOf(address: string, host: string): readonly [string, string] | null {
  try {
    const { protocol, host: named } = new URL(address);
    return [named, new URL(`${protocol}//${host}`).host];
  } catch {
    return null;
  }
}

/** Whether the browser reports that the request comes from our own pages: Origin if there is one, else Referer. */
export function isSameOrigin({ origin, referer, host }: IncomingHttpHeaders): boolean {
  const source = origin ?? referer;
  if (source === undefined || host === undefined) return false;
  const [named, ours] = hostsOf(source, host) ?? [];
  return named !== undefined && named !== '' && named === ours;
}

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Writes that carry the cookie must come from our own pages (decision 29); Bearer tokens cannot be sent by forgery. */
export const originCheck: Middleware = (ctx, next) => {
  const { headers } = ctx.req;
  const guarded = !safe.has(ctx.method) && cookieIn(headers.cookie) !== null && !hasBearer(headers);
  if (guarded && !isSameOrigin(headers)) refuse(ctx, 403, 'request origin could not be verified');
  return next();
};
