import type { Context } from 'koa';
import type { TLSSocket } from 'node:tls';
import { devicePace } from '../../rules/deviceSignIn/data.ts';
import { deviceLimits } from '../../rules/deviceSignIn/events.ts';
import type { RouteId } from '../../rules/access/routes.ts';
import { answer, refuse } from '../answer.ts';
import type { DeviceStart, DeviceToken } from '../api.ts';
import { countedAddress } from '../auth/address.ts';
import { shownUserCode } from '../auth/device/codes.ts';
import type { Decided, DeviceSignIns } from '../auth/device/signIns.ts';
import { callerIn } from '../auth/guard.ts';
import { printableName } from '../auth/printable.ts';
import { formOrJson } from '../body.ts';
import { sendJson } from '../json.ts';
import type { Handler, Routes } from '../route.ts';
import type { Serving } from '../serving.ts';
import { deviceDecision, deviceReview } from '../views/device.ts';

const clientAtMost = 100;
const unnamed = 'unknown client';
const grant = 'urn:ietf:params:oauth:grant-type:device_code';

/** Command lines that are signed in by an admin (document 002, Device sign-in request; decision 115). */
export function deviceRoutes(routes: Routes, { operator }: Serving, signIns: DeviceSignIns): void {
  /** Requests live in the memory of the replica that leads, and nowhere else. */
  const onLeader = (route: RouteId, handler: Handler) =>
    routes.on(route, (ctx, access) =>
      operator.isLeading() ? handler(ctx, access) : refuse(ctx, 503, 'this replica stands by: try again'),
    );

  onLeader('POST /auth/device', async function startSignIn(ctx) {
    const client = clientIn(ctx, await fieldsIn(ctx));
    const page = `${originOf(ctx)}/device`;
    const started = signIns.start({ client, address: addressOf(ctx) });
    if (started.is === 'refused') return refuse(ctx, 429, started.why);
    const code = shownUserCode(started.userCode);
    return sendJson(ctx, {
      device_code: started.deviceCode,
      user_code: code,
      verification_uri: page,
      verification_uri_complete: `${page}?code=${code}`,
      expires_in: deviceLimits.lifetimeMs / 1_000,
      interval: devicePace.intervalMs / 1_000,
    } satisfies DeviceStart);
  });

  onLeader('POST /auth/token', async function pollSignIn(ctx) {
    const { device_code: code, grant_type: asked } = await fieldsIn(ctx);
    if (asked !== undefined && asked !== grant) return refuse(ctx, 400, 'unsupported_grant_type');
    if (typeof code !== 'string' || code === '') return refuse(ctx, 400, 'device_code is required');
    const polled = answer(ctx, await signIns.poll(code));
    if (polled.is === 'error') return refuse(ctx, 400, polled.error);
    return sendJson(ctx, {
      access_token: polled.text,
      token_type: 'Bearer',
      expires_in: polled.seconds,
    } satisfies DeviceToken);
  });

  onLeader('GET /auth/device/{code}', function reviewSignIn(ctx) {
    const request = signIns.find(ctx.params['code'] ?? '');
    if (!request) return refuse(ctx, 404, 'no sign-in has this code');
    return sendJson(ctx, deviceReview(request));
  });

  onLeader('POST /auth/device/approve', async function approveSignIn(ctx, access) {
    const fields = await formOrJson(ctx);
    const { access: chosen = null, days } = fields;
    if (chosen !== null && typeof chosen !== 'string') return refuse(ctx, 400, 'access must be text');
    const choice = { access: chosen === '' ? null : chosen, days: daysIn(days) };
    return decided(ctx, signIns.approve(codeIn(ctx, fields), callerIn(access), choice));
  });

  onLeader('POST /auth/device/deny', async function denySignIn(ctx, access) {
    return decided(ctx, signIns.refuse(codeIn(ctx, await formOrJson(ctx)), callerIn(access)));
  });
}

type Fields = Readonly<Record<string, unknown>>;

/** Everything that may be sent may also be left out, and the body with it. */
const fieldsIn = (ctx: Context): Promise<Fields> => (hasBody(ctx) ? formOrJson(ctx) : Promise.resolve({}));

const hasBody = ({ req, request }: Context): boolean =>
  req.headers['transfer-encoding'] !== undefined || (request.length ?? 0) > 0;

function clientIn(ctx: Context, { client_name: name }: Fields): string {
  if (name === undefined || name === null || name === '') return unnamed;
  const client = typeof name === 'string' ? printableName(name, clientAtMost) : null;
  return client ?? refuse(ctx, 400, `client_name must be at most ${clientAtMost} printable characters`);
}

function codeIn(ctx: Context, { code }: Fields): string {
  return typeof code === 'string' && code !== '' ? code : refuse(ctx, 400, 'code is required');
}

/** A form has only text; what is no number of days the rules refuse. */
const daysIn = (days: unknown): number =>
  typeof days === 'number' || (typeof days === 'string' && /^\d{1,3}$/.test(days)) ? Number(days) : Number.NaN;

const statuses = { unknown: 404, bad: 400, forbidden: 403, over: 409 } as const;

function decided(ctx: Context, outcome: Decided): void {
  if (outcome.is !== 'decided') return refuse(ctx, statuses[outcome.is], outcome.why);
  return sendJson(ctx, deviceDecision(outcome.request));
}

const headerOf = (ctx: Context, name: 'x-forwarded-for' | 'x-forwarded-proto'): string | undefined => {
  const header = ctx.req.headers[name];
  return Array.isArray(header) ? header.join(',') : header;
};

/** The public address of the client, else the peer's: private peers are counted too, each on its own. */
const addressOf = (ctx: Context): string => {
  const peer = ctx.req.socket.remoteAddress;
  return countedAddress(peer, headerOf(ctx, 'x-forwarded-for')) ?? peer ?? 'unknown';
};

/** A host that may stand in an address that is shown to people. */
const plainHost = /^[A-Za-z0-9.-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](:\d{1,5})?$/;

/** Where the request was sent to; the proxy that ends TLS before us says that it did. */
function originOf(ctx: Context): string {
  const { host = '' } = ctx.req.headers;
  if (!plainHost.test(host)) return refuse(ctx, 400, 'the Host header is malformed');
  const isSecure = (ctx.req.socket as Partial<TLSSocket>).encrypted === true;
  const isForwarded = /^https\s*(,|$)/i.test(headerOf(ctx, 'x-forwarded-proto') ?? '');
  return `${isSecure || isForwarded ? 'https' : 'http'}://${host}`;
}
