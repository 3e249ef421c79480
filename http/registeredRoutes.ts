import type { Router, RouterContext } from '@koa/router';
import { mayBeOfTheLeader, type RouteId } from '../rules/access/routes.ts';
import { requestReader } from './asked.ts';
import { type Access, accessTo } from './auth/guard.ts';
import type { Leader } from './leader.ts';
import { type Asked, schemas } from './openapi/schemas.ts';

/** Handles one route for permitted callers, with the request typed by its schema. */
type Handler<R extends RouteId> = (ctx: RouterContext, access: Access, asked: Asked<R>) => unknown;

/** The routes of the API: each is a row of the authorization table, which every request passes. */
export interface Routes {
  readonly on: <R extends RouteId>(route: R, handler: Handler<R>) => void;
}

export function routesOn(router: Router, answeredByLeader: Leader): Routes {
  return {
    on: (route, handler) => {
      const [method = '', path = ''] = route.split(' ');
      const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
      const read = requestReader(schemas[route]);
      const answerHere = async (ctx: RouterContext) =>
        handler(ctx, accessTo(ctx, route), (await read(ctx)) as unknown as Asked<typeof route>);
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
