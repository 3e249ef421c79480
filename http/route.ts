import type { Router, RouterContext } from '@koa/router';
import type { RouteId } from '../rules/access/routes.ts';
import { type Access, accessTo } from './auth/guard.ts';

/** Answers one route for whoever may have it. */
export type Handler = (ctx: RouterContext, access: Access) => unknown;

/** The routes of the API: each is a row of the authorization table, and nobody reaches one past it. */
export interface Routes {
  readonly on: (route: RouteId, handler: Handler) => void;
  /** The rows that have a handler. */
  readonly served: ReadonlySet<RouteId>;
}

export function routesOn(router: Router): Routes {
  const served = new Set<RouteId>();
  return {
    served,
    on: (route, handler) => {
      const [method = '', path = ''] = route.split(' ');
      served.add(route);
      const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
      router.register(pattern, [method], (ctx: RouterContext) => handler(ctx, accessTo(ctx, route)));
    },
  };
}
