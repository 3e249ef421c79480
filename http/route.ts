import type { Router, RouterContext } from '@koa/router';
import { mayBeOfTheLeader, type RouteId } from '../rules/access/routes.ts';
import { reading } from './asked.ts';
import { type Access, accessTo } from './auth/guard.ts';
import type { Leader } from './leader.ts';
import type { Asked } from './openapi/schemas.ts';

/** Handles one route for permitted callers, with the request typed by its schema. */
export type Handler<R extends RouteId> = (ctx: RouterContext, access: Access, asked: Asked<R>) => unknown;

/** The routes of the API: each is a row of the authorization table, which every request passes. */
export interface Routes {
  readonly on: <R extends RouteId>(route: R, handler: Handler<R>) => void;
  /** The rows that have a handler. */
  readonly served: ReadonlySet<RouteId>;
}

export function routesOn(router: Router, answeredByLeader: Leader): Routes {
  const served = new Set<RouteId>();
  return {
    served,
    on: (route, handler) => {
      const [method = '', path = ''] = route.split(' ');
      served.add(route);
      const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
      const read = reading(route);
      const answerHere = async (ctx: RouterContext) => handler(ctx, accessTo(ctx, route), await read(ctx));
      router.register(
        pattern,
        [method],
        !mayBeOfTheLeader(route)
          ? answerHere
          : async (ctx: RouterContext) => {
              accessTo(ctx, route);
              return (await answeredByLeader(ctx, route)) ? undefined : answerHere(ctx);
            },
      );
    },
  };
}
