import type { Context, Middleware } from 'koa';
import { refuse } from '../answer.ts';
import { cookieIn } from './cookie.ts';
import { hasBearer } from './origin.ts';
import type { Caller, Sessions } from './sessions.ts';

/** The only paths under /api/ that answer without a session (document 002, Public paths). */
const open = new Set(['/login', '/logout', '/session'].flatMap((path) => [`/api${path}`, `/api/v1${path}`]));

const callers = new WeakMap<Context['req'], Caller>();

/** Who asks; only behind the guard. */
export function callerOf(ctx: Context): Caller {
  const caller = callers.get(ctx.req);
  if (!caller) throw new Error(`${ctx.path} is not guarded`);
  return caller;
}

/** Viewers get redacted copies, which this version does not make: until it does, they get nothing. */
export const viewersWait = 'viewers cannot sign in yet: this version has no redacted reads';

/** Everything under /api/ that is not public needs a session of an admin. */
export const guard =
  (sessions: Sessions): Middleware =>
  async (ctx, next) => {
    const path = ctx.path.toLowerCase();
    if (!/^\/api(\/|$)/.test(path) || open.has(path)) return next();
    if (hasBearer(ctx.req.headers)) refuse(ctx, 401, 'the API token is not valid');
    const caller = sessions.callerOf(cookieIn(ctx.req.headers.cookie));
    if (caller === null) return refuse(ctx, 401, 'sign in first');
    if (caller.role !== 'admin') refuse(ctx, 403, viewersWait);
    callers.set(ctx.req, caller);
    return next();
  };
