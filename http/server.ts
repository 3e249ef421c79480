import { createServer, type RequestListener } from 'node:http';
import { Router } from '@koa/router';
import Koa from 'koa';
import { accessMachines } from './access/all.ts';
import { absenceIn } from './auth/absent.ts';
import { makeCallers } from './auth/callers.ts';
import { guard } from './auth/guard.ts';
import { makeAddressLockouts } from './auth/lockout/address.ts';
import { originCheck } from './auth/origin.ts';
import { makeSessions } from './auth/sessions.ts';
import { makeSignIn } from './auth/signIn.ts';
import { makeDeviceSignIns } from './auth/device/signIns.ts';
import { makeTokens } from './auth/tokens.ts';
import { UpgradableRequest } from './console/socketRequest.ts';
import { serveUpgrades } from './console/upgrades.ts';
import { makeFeed } from './events/feed.ts';
import { makeStreams } from './events/streams.ts';
import { createOpenResponses, mostUnsent } from '../runtime/embedded/index.ts';
import { compressed } from './response/compress.ts';
import { securityHeaders } from './response/securityHeaders.ts';
import { makeLeader } from './leader.ts';
import { listen, type Listening } from './listen.ts';
import { errorHandler } from './errorHandler.ts';
import { answerMalformed, refuseEarly } from './request/clientError.ts';
import { matchBySegment } from './request/matchBySegment.ts';
import { groups } from './routes/groups.ts';
import { allRoutes } from './routes/list.ts';
import { makeDocument } from './openapi/document.ts';
import { type RouteContext, schemasOf, serveRoutes } from './route.ts';
import { probeRoutes } from './routes/probe.ts';
import { webhookRoutes } from './routes/webhook.ts';
import { validateRequest } from './validateRequest.ts';
import { makeLogHub } from './serviceLogs/hub.ts';
import { type HttpOptions, serverContext } from './context.ts';
import { staticPages } from './pages/static.ts';
import { plainTarget } from './request/target.ts';
import { timeLimits } from './request/timeouts.ts';

/** Event and log streams of one caller. */
const maxStreams = 100;

/** Serves REST, sign-in, event streams, webhooks and the dashboard. */
export async function startHttp(given: HttpOptions): Promise<Listening> {
  const context = serverContext(given);
  const { operator, settings, now, log } = context;
  const { accounts } = given;
  const { epochs } = accounts;
  const sessions = makeSessions(operator.caches, epochs, now);
  const tokens = makeTokens(context);
  const addresses = makeAddressLockouts(now);
  const signIn = makeSignIn(context, { ...accounts, addresses });
  const devices = makeDeviceSignIns(context, tokens);
  const feed = makeFeed(operator, settings.machines, now);
  const callers = makeCallers(sessions, tokens);
  const held = createOpenResponses({ mostStreams: maxStreams, mostUnsent });
  const streams = makeStreams(callers, held, now);
  const hub = makeLogHub(context.run);
  const headers = securityHeaders(settings.publicGitHost);

  const open = new Router();
  probeRoutes(open);
  webhookRoutes(open, context);
  // Every route of the API is served with and without its version.
  const api = new Router({ prefix: '/api{/v1}', sensitive: true });
  const routeContext: RouteContext = {
    ...context,
    sessions,
    signIn,
    epochs,
    tokens,
    devices,
    streams,
    feed,
    hub,
    terminals: given.terminals,
    accessMachines: accessMachines(context, { sessions, epochs, tokens, addresses, devices }),
    describe: () => makeDocument({ schemas: schemasOf(allRoutes), groups }),
  };
  serveRoutes(api, allRoutes, routeContext, makeLeader(context));
  matchBySegment(api);

  const app = new Koa();
  app.on('error', (error: unknown) => log('warn', 'response aborted', { error: String(error) }));
  app.use(errorHandler({ headers, log, onAnswered: given.onAnswered }));
  app.use(compressed());
  app.use(validateRequest);
  app.use(originCheck);
  app.use(guard(callers, held, () => absenceIn(operator.caches)));
  for (const router of [api, open]) app.use(router.routes()).use(router.allowedMethods());
  app.use(apiEnds);
  app.use(staticPages(settings.dashboardDir));

  const handle = app.callback();
  const serve: RequestListener = (req, res) => {
    if (given.stops?.() === true) res.setHeader('Connection', 'close');
    const target = plainTarget(req.url ?? '');
    if (target === null) return refuseEarly(res, headers);
    req.url = target;
    return void handle(req, res);
  };
  const server = createServer({ ...timeLimits(settings.timeoutsMs), IncomingMessage: UpgradableRequest }, serve);
  serveUpgrades(server, serve);
  answerMalformed(server, headers);
  const listening = await listen(server, settings.host, settings.port);
  return {
    url: listening.url,
    stop: async () => {
      streams.stop();
      hub.stop();
      feed.stop();
      await listening.stop();
    },
  };
}

/** An unknown path under /api/ is 404, and never a page. */
const apiEnds: Koa.Middleware = (ctx, next) =>
  /^\/(api|webhooks|core-probe)(\/|$)/i.test(ctx.path) ? undefined : next();
