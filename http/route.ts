import type { Router, RouterContext } from '@koa/router';
import { mayBeOfTheLeader, type RouteId } from '../rules/access/routes.ts';
import type { Terminals } from '../runtime/terminals/terminals.ts';
import { requestReader } from './request/requestReader.ts';
import type { DeviceSignIns } from './auth/device/signIns.ts';
import type { EpochKeeper } from './auth/epochs.ts';
import { type Access, accessTo } from './auth/guard.ts';
import type { Sessions } from './auth/sessions.ts';
import type { SignIn } from './auth/signIn.ts';
import type { TokenStore } from './auth/tokens.ts';
import type { ServerContext } from './context.ts';
import type { Feed } from './events/feed.ts';
import type { Streams } from './events/streams.ts';
import type { Leader } from './leader.ts';
import type { AnswerOf, BodySchema, PathNames, RequestOf, RouteSchema } from './openapi/schema.ts';
import type { AnswerContext } from './response.ts';
import type { Group } from './routes/groups.ts';
import type { ServedMachine } from './routes/machines/servedMachine.ts';
import type { LogHub } from './serviceLogs/hub.ts';

/** What handlers are made with, once a server. */
export interface RouteContext extends ServerContext {
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly epochs: EpochKeeper;
  readonly tokens: TokenStore;
  readonly devices: DeviceSignIns;
  readonly streams: Streams;
  readonly feed: Feed;
  readonly hub: LogHub;
  readonly terminals: Terminals;
  readonly accessMachines: readonly ServedMachine[];
  /** Makes the description of all routes. */
  readonly describe: () => Readonly<Record<string, unknown>>;
}

/** Handles a route for permitted callers, with request and answer typed by its schema. */
export type Handler<S extends RouteSchema> = (
  ctx: AnswerContext<AnswerOf<S>>,
  access: Access,
  request: RequestOf<S>,
) => unknown;

/** The schema of a route, in one of the groups of the description. */
interface GroupedSchema extends RouteSchema {
  readonly group: Group;
}

/** Refuses fields that no schema of a route has: what is inferred would take them in silence. */
type Exact<S extends RouteSchema> = { readonly [K in Exclude<keyof S, keyof RouteSchema>]: never } & {
  readonly body?: { readonly [K in Exclude<keyof S['body'], keyof BodySchema>]: never };
};

/** One route: what it takes and answers, and how. */
export interface Route<Path extends string = string> {
  readonly schema: RouteSchema<Path>;
  readonly handler: (context: RouteContext) => (ctx: RouterContext, access: Access, request: never) => unknown;
}

/** The routes of one REST resource, each with exactly the parameters in its path. */
export type Resource = { readonly [R in RouteId]?: Route<PathNames<R>> };

/** Every route of the authorization table: one without a handler is a type error. */
export type AllRoutes = { readonly [R in RouteId]: Route<PathNames<R>> };

/**
 * A route, whose handler is typed by its own schema.
 *
 * @example
 * 'GET /builds/{build}': route(
 *   { group: 'Builds', summary: 'Reads a build.', path: { build: objectName }, answers: read(buildRead, 'The build.') },
 *   ({ caches }) => (ctx, access, { path }) => sendRead(ctx, buildReadOf(caches, path.build)),
 * ),
 */
export const route = <const S extends GroupedSchema>(
  schema: S & Exact<S>,
  handler: (context: RouteContext) => Handler<S>,
): Route<keyof S['path'] & string> => ({ schema, handler });

/** Makes something once for each server. */
export function perContext<T>(make: (context: RouteContext) => T): (context: RouteContext) => T {
  const known = new WeakMap<RouteContext, { readonly made: T }>();
  return (context) => {
    const kept = known.get(context) ?? { made: make(context) };
    known.set(context, kept);
    return kept.made;
  };
}

/** The schemas of some routes, for the description. */
export const schemasOf = (routes: AllRoutes): Readonly<Record<RouteId, RouteSchema>> =>
  Object.fromEntries(Object.entries(routes).map(([id, { schema }]) => [id, schema])) as never;

/** Serves routes: each is a row of the authorization table, which every request passes. */
export function serveRoutes(router: Router, routes: Resource, context: RouteContext, answeredByLeader: Leader): void {
  for (const [id, { schema, handler }] of Object.entries(routes)) {
    const route = id as RouteId;
    const [method = '', path = ''] = route.split(' ');
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
    const read = requestReader(schema);
    const handle = handler(context);
    // The request has the type of the route's own schema, which is not known here.
    const answerHere = async (ctx: RouterContext) => handle(ctx, accessTo(ctx, route), (await read(ctx)) as never);
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
  }
}
