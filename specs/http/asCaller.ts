import { createServer } from 'node:http';
import { Router } from '@koa/router';
import Koa from 'koa';
import { makeLogHub } from '../../http/serviceLogs/hub.ts';
import { guard } from '../../http/auth/guard.ts';
import { makeTokens } from '../../http/auth/tokens.ts';
import { makeFeed } from '../../http/events/feed.ts';
import { createOpenResponses, mostUnsent } from '../../runtime/embedded/index.ts';
import { makeStreams } from '../../http/events/streams.ts';
import { listen } from '../../http/listen.ts';
import { type RouteContext, serveRoutes } from '../../http/route.ts';
import { allRoutes } from '../../http/routes/list.ts';
import { serverContext } from '../../http/context.ts';
import { tables } from '../../machines/tables.ts';
import { addressCheckWith } from '../../rules/webhookDelivery/addressCheck.ts';
import type { Caller, Role } from '../../rules/access/caller.ts';
import type { Served } from './served.ts';

/** A workspace token, as the caller that routes see. */
export const tokenOf = (role: Role): Caller => ({
  with: 'token',
  id: role,
  username: `token:${role}`,
  role,
  scope: null,
  expiresAt: null,
});

/** The routes that read the platform; those of sign-in, terminals and commands need more than it. */
const readRoutes = Object.fromEntries(
  Object.entries(allRoutes).filter(([id]) => id.startsWith('GET ') && !/console|session|device/.test(id)),
);

/** The read routes over the same world, for a given caller. */
export async function serveAs({ operator, world }: Served, caller: Caller) {
  const context = serverContext({
    operator,
    services: world.services,
    settings: {
      host: '127.0.0.1',
      port: 0,
      publicGitHost: 'github.com',
      gitUrl: 'https://git.example',
      webhookSecret: () => null,
      webhookJudge: addressCheckWith(false),
      prometheusUrl: 'http://127.0.0.1:1',
      machines: tables,
      dashboardDir: '/nonexistent',
    },
    log: () => {},
  });
  const callers = { of: () => caller, onChange: () => () => {} };
  const held = createOpenResponses({ mostStreams: 100, mostUnsent });
  const [feed, streams] = [makeFeed(operator, tables, Date.now), makeStreams(callers, held, Date.now)];
  const router = new Router({ prefix: '/api{/v1}', sensitive: true });
  const tokens = makeTokens(context);
  const parts = { ...context, feed, streams, tokens, hub: makeLogHub(context.run), accessMachines: [] };
  serveRoutes(router, readRoutes, parts as unknown as RouteContext, () => Promise.resolve(false));
  const app = new Koa();
  app.silent = true;
  app.use(guard(callers, held, () => null)).use(router.routes());
  const handle = app.callback();
  const listening = await listen(
    createServer((req, res) => void handle(req, res)),
    '127.0.0.1',
    0,
  );
  return {
    url: listening.url,
    stop: async () => {
      streams.stop();
      feed.stop();
      await listening.stop();
    },
  };
}
