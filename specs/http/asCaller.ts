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
import { routesOn } from '../../http/registeredRoutes.ts';
import { serviceRoutes } from '../../http/routes/services/all.ts';
import { backupArchiveRoutes } from '../../http/routes/backupArchives.ts';
import { bootstrapRoutes } from '../../http/routes/bootstrap.ts';
import { buildRoutes } from '../../http/routes/builds.ts';
import { type RouteContext, serveRoutes } from '../../http/route.ts';
import { clusterRoutes } from '../../http/routes/clusters.ts';
import { databaseRoutes } from '../../http/routes/databases.ts';
import { eventRoutes } from '../../http/routes/events.ts';
import { gitRoutes } from '../../http/routes/git.ts';
import { logicalDatabaseRoutes } from '../../http/routes/logicalDatabases.ts';
import { machineRoutes } from '../../http/routes/machines.ts';
import { nodeRoutes } from '../../http/routes/nodes.ts';
import { objectStoreRoutes } from '../../http/routes/objectStores.ts';
import { platformRoutes } from '../../http/routes/platform.ts';
import { projectRoutes } from '../../http/routes/projects.ts';
import { sharedVariableRoutes } from '../../http/routes/sharedVariables.ts';
import { serverContext } from '../../http/context.ts';
import { tables } from '../../machines/tables.ts';
import { judgeWith } from '../../rules/webhookDelivery/judge.ts';
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

const readRoutes = [
  backupArchiveRoutes,
  bootstrapRoutes,
  clusterRoutes,
  databaseRoutes,
  gitRoutes,
  logicalDatabaseRoutes,
  nodeRoutes,
  objectStoreRoutes,
  platformRoutes,
  sharedVariableRoutes,
];

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
      webhookJudge: judgeWith(false),
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
  const routes = routesOn(router, () => Promise.resolve(false));
  serviceRoutes(routes, context, { streams, hub: makeLogHub(context.run) });
  serveRoutes(
    router,
    { ...buildRoutes },
    { ...context, feed, streams, hub: makeLogHub(context.run) } as RouteContext,
    () => Promise.resolve(false),
  );
  for (const route of readRoutes) route(routes, context);
  projectRoutes(routes, context, makeTokens(context));
  machineRoutes(routes, context, []);
  eventRoutes(routes, context, { feed, streams });
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
