import type { Context } from 'koa';
import { devicePace } from '../../rules/deviceSignIn/data.ts';
import { deviceLimits } from '../../rules/deviceSignIn/events.ts';
import { orThrow, refuse } from '../orThrow.ts';
import type { DeviceStart, DeviceToken } from '../openapi/shapes/access.ts';
import { shownUserCode } from '../auth/device/codes.ts';
import type { Decided, DeviceSignIns } from '../auth/device/signIns.ts';
import { callerIn } from '../auth/guard.ts';
import { printableName } from '../auth/printable.ts';
import { isHttps } from '../client.ts';
import { isPlainHost } from '../headers.ts';
import { sendPlain } from '../response.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServerContext } from '../context.ts';
import { deviceDecision, deviceReview } from '../views/device.ts';

const clientAtMost = 100;
const unnamed = 'unknown client';
const grant = 'urn:ietf:params:oauth:grant-type:device_code';

/** Sign-in of command lines by an admin (document 002, Device sign-in request; decision 115). */
/** Requests are in the memory of the leader, which handles these routes (`ofTheLeader`). */
export function deviceRoutes(routes: Routes, { clientOf }: ServerContext, signIns: DeviceSignIns): void {
  routes.on('POST /auth/device', function startSignIn(ctx, _, { body }) {
    const client = clientIn(ctx, body.client_name);
    const page = `${originOf(ctx)}/device`;
    const { peer, address } = clientOf(ctx.req);
    const started = signIns.start({ client, peer, address });
    if (started.is === 'refused') return refuse(ctx, 429, started.error);
    const code = shownUserCode(started.userCode);
    return sendPlain(ctx, {
      device_code: started.deviceCode,
      user_code: code,
      verification_uri: page,
      verification_uri_complete: `${page}?code=${code}`,
      expires_in: deviceLimits.lifetimeMs / 1_000,
      interval: devicePace.intervalMs / 1_000,
    } satisfies DeviceStart);
  });

  routes.on('POST /auth/token', async function pollSignIn(ctx, _, { body: { device_code: code, grant_type: asked } }) {
    if (asked !== undefined && asked !== '' && asked !== grant) return refuse(ctx, 400, 'unsupported_grant_type');
    const polled = orThrow(ctx, await signIns.poll(code));
    if (polled.is === 'error') return refuse(ctx, 400, polled.error);
    return sendPlain(ctx, {
      access_token: polled.text,
      token_type: 'Bearer',
      expires_in: polled.seconds,
    } satisfies DeviceToken);
  });

  routes.on('GET /auth/device/{code}', function reviewSignIn(ctx, _, { path: { code } }) {
    const request = signIns.find(code);
    if (!request) return refuse(ctx, 404, 'no sign-in has this code');
    return sendPlain(ctx, deviceReview(request));
  });

  routes.on('POST /auth/device/approve', function approveSignIn(ctx, access, { body }) {
    // The rules refuse a value that is not a number of days.
    const choice = { access: body.access || null, days: body.days ?? Number.NaN };
    return decided(ctx, signIns.approve(body.code, callerIn(access), choice));
  });

  routes.on('POST /auth/device/deny', function denySignIn(ctx, access, { body }) {
    return decided(ctx, signIns.refuse(body.code, callerIn(access)));
  });
}

function clientIn(ctx: Context, name: string | undefined): string {
  if (name === undefined || name === '') return unnamed;
  const client = printableName(name, clientAtMost);
  return client ?? refuse(ctx, 400, 'invalid_request');
}

const statuses = { unknown: 404, bad: 400, forbidden: 403, over: 409 } as const;

function decided(ctx: Context, outcome: Decided): void {
  if (outcome.is !== 'decided') return refuse(ctx, statuses[outcome.is], outcome.why);
  return sendPlain(ctx, deviceDecision(outcome.request));
}

/** The origin that the request was sent to; a proxy that terminates TLS reports the scheme. */
function originOf(ctx: Context): string {
  const { host = '' } = ctx.req.headers;
  if (!isPlainHost(host)) return refuse(ctx, 400, 'the Host header is malformed');
  return `${isHttps(ctx.req) ? 'https' : 'http'}://${host}`;
}
