import { Effect, Result } from 'effect';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { request } from 'undici';
import { ofTheLeader, type RouteId } from '../rules/access/routes.ts';
import { leaderAddress, leaseName, leases } from '../runtime/lead/leaseRecord.ts';
import { Cluster } from '../runtime/services/cluster.ts';
import { refuse } from './answer.ts';
import { forwarded } from './client.ts';
import type { Serving } from './serving.ts';

/** Carried by what a replica passed on: it is passed on once. */
const passedOn = 'x-core-passed-on';
const waitMs = 10_000;
const isStandby = 'this replica is a standby, and the leader does not answer: try again';

/** Headers that belong to one connection. */
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
/** What of the leader's answer is told; security headers are our own. */
const told = ['content-type', 'cache-control', 'set-cookie', 'retry-after', 'etag'] as const;

/** Whether the leader has answered a request in this replica's place. */
export type Leader = (ctx: Context, route: RouteId) => Promise<boolean>;

/**
 * Lets the leader answer what it alone has in memory. The request goes as it came, with the credentials of whoever sent
 * it, so that replicas need no secret between them; the address it came from is added to those it was forwarded for.
 */
export function makeLeader({ operator, run }: Serving): Leader {
  const addressOfLeader = async (): Promise<string | null> => {
    const lease = await run(Effect.flatMap(Cluster, (cluster) => cluster.get(leases, { name: leaseName })));
    return Result.isSuccess(lease) ? leaderAddress(lease.success) : null;
  };

  return async (ctx, route) => {
    const otherwise = ofTheLeader[route];
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
  const answered = await request(`${new URL(address).origin}${ctx.path}${ctx.search}`, {
    method: ctx.method,
    headers: { ...ownHeaders(ctx.req.headers), ...ours },
    body: ctx.method === 'GET' ? null : ctx.req,
    headersTimeout: waitMs,
    bodyTimeout: waitMs,
  }).catch(() => refuse(ctx, 503, isStandby));
  for (const name of told) {
    const value = answered.headers[name];
    if (value !== undefined) ctx.set(name, value);
  }
  ctx.status = answered.statusCode;
  ctx.body = await answered.body.text();
}

const ownHeaders = (headers: IncomingHttpHeaders): Readonly<Record<string, string | string[] | undefined>> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.has(name)));

const forwardedFor = (request: IncomingMessage): string =>
  [forwarded(request, 'x-forwarded-for'), request.socket.remoteAddress].filter(Boolean).join(', ');
