import type { RouterContext } from '@koa/router';
import type { Middleware } from 'koa';
import { type Caller, type Scope, callerKey } from '../../rules/access/caller.ts';
import type { View } from '../../rules/access/needs.ts';
import type { OpenResponses } from '../../runtime/embedded/index.ts';
import { grantOf, type RouteId, routes } from '../../rules/access/routes.ts';
import { refuse } from '../orThrow.ts';
import { type Callers, hasBearer } from './callers.ts';

/** The caller, the view they read, and the one environment they may see; null for any. */
export interface Access {
  readonly caller: Caller | null;
  readonly view: View;
  readonly scope: Scope | null;
}

const open = new Set(
  Object.keys(routes)
    .filter((route) => routes[route as RouteId] === 'nothing')
    .map((route) => route.split(' ')[1]),
);

/**
 * Anonymous callers learn nothing under /api/, not even which routes exist, except on the public paths (document 002).
 */
export const guard =
  (known: Callers, held: Pick<OpenResponses, 'add'>, absence: () => string | null): Middleware =>
  (ctx, next) => {
    const path = ctx.path.toLowerCase();
    if (!/^\/api(\/|$)/.test(path) || open.has(path.replace(/^\/api(\/v1)?(?=\/)/, ''))) {
      held.add(`address ${ctx.req.socket.remoteAddress}`, ctx.res);
      return next();
    }
    const caller = known.of(ctx.req.headers);
    const absent = caller === null ? absence() : null;
    if (absent !== null) return refuse(ctx, 503, absent);
    if (caller === null)
      return refuse(ctx, 401, hasBearer(ctx.req.headers) ? 'the API token is not valid' : 'sign in first');
    ctx.state['caller'] = caller;
    held.add(callerKey(caller), ctx.res);
    return next();
  };

/** The access of the caller to a route; a refusal ends the request. */
export function accessTo(ctx: RouterContext, route: RouteId): Access {
  const caller = (ctx.state['caller'] as Caller | undefined) ?? null;
  const grant = grantOf(route, caller, ctx.params['machine']);
  if (grant.is === 'refused') return refuse(ctx, grant.status, grant.text);
  const scope = grant.own && caller?.with === 'token' ? caller.scope : null;
  return { caller, view: grant.view, scope };
}

/** The caller of a route that requires authentication. */
export function callerIn({ caller }: Access): Caller {
  if (caller === null) throw new Error('the route is open to strangers');
  return caller;
}

/** Whether the caller may see something; anything else is not found (document 002, Errors). */
export const isInScope = (
  { scope }: Pick<Access, 'scope'>,
  { project, environment }: { readonly project: string; readonly environment: string },
): boolean => scope === null || (scope.project === project && scope.environment === environment);
