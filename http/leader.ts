import { Effect, Result } from 'effect';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { RouterContext } from '@koa/router';
import type { Context } from 'koa';
import { request } from 'undici';
import { leaderOf, type RouteId } from '../rules/access/routes.ts';
import { leaderAddress, leaseName, leases } from '../runtime/lead/leaseRecord.ts';
import { Cluster } from '../runtime/services/cluster/cluster.ts';
import { refuse } from './orThrow.ts';
import { forwarded } from './request/client.ts';
import type { ServerContext } from './context.ts';

/** The header that marks a forwarded request, so that it is not forwarded twice. */
const passedOn = 'x-core-passed-on';
const waitMs = 10_000;
const isStandby = 'this replica is a standby, and the leader does not answer: try again';

/** Hop-by-hop headers. */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);
/** The headers that are copied from the leader's response; security headers are our own. */
const returnedHeaders = [
  'content-type',
  'cache-control',
  'set-cookie',
  'retry-after',
  'etag',
  'www-authenticate',
  'vary',
  'content-encoding',
] as const;

/** Whether the leader has answered a request in this replica's place. */
export type Leader = (ctx: RouterContext, route: RouteId) => Promise<boolean>;

/**
 * Forwards to the leader what only the leader has in memory. The request keeps the credentials of its sender, so that
 * replicas need no shared secret; the sender's address is appended to the forwarded ones.
 */
export function makeLeader({ operator, run }: ServerContext): Leader {
  const addressOfLeader = async (): Promise<string | null> => {
    const lease = await run(Effect.flatMap(Cluster, (cluster) => cluster.get(leases, { name: leaseName })));
    return Result.isSuccess(lease) ? leaderAddress(lease.success) : null;
  };

  return async (ctx, route) => {
    const otherwise = leaderOf(route, ctx.params['machine']);
    if (otherwise === undefined || operator.isLeading()) return false;
    const address = ctx.req.headers[passedOn] === undefined ? await addressOfLeader() : null;
    if (address !== null) {
      await passOn(ctx, address);
      return true;
    }
    return otherwise === 'or refused' ? refuse(ctx, 503, isStandby) : false;
  };
}

async function passOn(ctx: Context, address: string): Promise<void> {
  const ours = { [passedOn]: 'yes', 'x-forwarded-for': forwardedFor(ctx.req) };
  const response = await request(`${new URL(address).origin}${ctx.path}${ctx.search}`, {
    method: ctx.method,
    headers: { ...ownHeaders(ctx.req.headers), ...ours },
    body: ctx.method === 'GET' ? null : ctx.req,
    headersTimeout: waitMs,
    bodyTimeout: waitMs,
  }).catch(() => refuse(ctx, 503, isStandby));
  for (const name of returnedHeaders) {
    const value = response.headers[name];
    if (value !== undefined) ctx.set(name, value);
  }
  ctx.status = response.statusCode;
  // Its bytes are handed on as they are, compressed or not.
  ctx.body = Buffer.from(await response.body.arrayBuffer());
}

const ownHeaders = (headers: IncomingHttpHeaders): Readonly<Record<string, string | string[] | undefined>> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.has(name)));

const forwardedFor = (request: IncomingMessage): string =>
  [forwarded(request, 'x-forwarded-for'), request.socket.remoteAddress].filter(Boolean).join(', ');
