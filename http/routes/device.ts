import { Optional as optional, Type } from '@sinclair/typebox';
import type { Context } from 'koa';
import { shownUserCode } from '../auth/device/codes.ts';
import type { Decided } from '../auth/device/signIns.ts';
import { callerIn } from '../auth/guard.ts';
import { printableName } from '../auth/printable.ts';
import { isHttps } from '../request/client.ts';
import { isPlainHost } from '../response/securityHeaders.ts';
import { oneNumberOf, oneOf, orNull, pathText, type ReadonlyStatic, text, time } from '../openapi/kit.ts';
import { uncached } from '../openapi/schema.ts';
import { orThrow, refuse } from '../orThrow.ts';
import { type AnswerContext, sendPlain } from '../response.ts';
import { type Resource, route } from '../route.ts';
import { role } from './resource.ts';
import { deviceDecision, deviceReview } from '../views/device.ts';
import { devicePace } from '../../rules/deviceSignIn/data.ts';
import { deviceLimits } from '../../rules/deviceSignIn/events.ts';

const maxClient = 100;
const unnamed = 'unknown client';
const grant = 'urn:ietf:params:oauth:grant-type:device_code';

const deviceIssued = Type.Object(
  {
    device_code: text(),
    user_code: text(),
    verification_uri: text(),
    verification_uri_complete: text(),
    expires_in: Type.Integer({ description: 'Seconds.' }),
    interval: Type.Integer({ description: 'Seconds to wait between polls.' }),
  },
  { title: 'DeviceIssued' },
);
/** POST /api/v1/auth/device {client_name} (RFC 8628). Seconds. */
export type DeviceStart = ReadonlyStatic<typeof deviceIssued>;

const deviceToken = Type.Object(
  {
    access_token: text('The token, returned only once.'),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds.' }),
  },
  { title: 'DeviceToken' },
);
/**
 * POST /api/v1/auth/token {device_code}, once it is approved; before that, and when it never will be, 400 with
 * `authorization_pending`, `slow_down`, `access_denied` or `expired_token`.
 */
export type DeviceToken = ReadonlyStatic<typeof deviceToken>;

const deviceStates = ['pending', 'approved', 'refused', 'issued', 'expired'] as const;

const deviceRequest = Type.Object(
  {
    user_code: text(),
    client: text('The name that the client gives itself, unverified.'),
    address: text('The address that the request came from.'),
    state: oneOf(...deviceStates),
    issuedAt: time(),
    expiresAt: time(),
    accesses: Type.Array(role),
    lifetimes: Type.Array(oneNumberOf(7, 30, 90)),
  },
  { title: 'DeviceRequest' },
);
/** GET /api/v1/auth/device/{code}, by the user code: what an approver reviews and may choose from. */
export type DeviceReview = ReadonlyStatic<typeof deviceRequest>;

const code = Type.String({ minLength: 1, maxLength: 64, description: 'In upper or lower case, with or without `-`.' });

const deviceApproval = Type.Object({
  code,
  // The machine knows and reports the allowed values (DEV-022a).
  access: optional(orNull(text('admin, observer or viewer; observer, which is read-only with logs, by default.'))),
  days: optional(Type.Integer({ description: '7, 30 or 90.' })),
});
/** POST /api/v1/auth/device/approve */
export type DeviceApproval = ReadonlyStatic<typeof deviceApproval>;

const deviceDenial = Type.Object({ code });
/** POST /api/v1/auth/device/deny */
export type DeviceDenial = ReadonlyStatic<typeof deviceDenial>;

const deviceDecided = Type.Object({ user_code: text(), state: oneOf(...deviceStates) }, { title: 'DeviceDecided' });
/** The response to both. */
export type DeviceDecision = ReadonlyStatic<typeof deviceDecided>;

const decided = uncached(deviceDecided, 'The decision.');

/**
 * Sign-in of command lines by an admin (document 002, Device sign-in request; decision 115). Requests are in the memory
 * of the leader, which handles these routes (`ofTheLeader`).
 */
export const deviceRoutes = {
  'POST /auth/device': route(
    {
      group: 'Access',
      summary: 'Requests a device code, which a signed-in admin then approves or denies.',
      path: {},
      body: {
        schema: Type.Object({ client_name: optional(Type.String()) }),
        optional: true,
        ignoresOthers: true,
      },
      answers: { 200: uncached(deviceIssued, 'The codes, and the page where the user code is entered.') },
      refusals: {
        400: '`invalid_request`.',
        429: '`temporarily_unavailable`: too many requests are pending; `slow_down`: too many requests from this address.',
        503: '`temporarily_unavailable`: there is no leader.',
      },
    },
    ({ clientOf, devices }) =>
      function startSignIn(ctx, _, { body }) {
        const client = clientIn(ctx, body.client_name);
        const page = `${originOf(ctx)}/device`;
        const { peer, address } = clientOf(ctx.req);
        const started = devices.start({ client, peer, address });
        if (started.is === 'refused') return refuse(ctx, 429, started.error);
        const code = shownUserCode(started.userCode);
        return sendPlain(ctx, {
          device_code: started.deviceCode,
          user_code: code,
          verification_uri: page,
          verification_uri_complete: `${page}?code=${code}`,
          expires_in: deviceLimits.lifetimeMs / 1_000,
          interval: devicePace.intervalMs / 1_000,
        });
      },
  ),
  'POST /auth/token': route(
    {
      group: 'Access',
      summary: 'Returns the token of a device code once it is approved.',
      path: {},
      body: {
        schema: Type.Object({
          device_code: Type.String({ minLength: 1 }),
          grant_type: optional(Type.String()),
        }),
        ignoresOthers: true,
      },
      answers: { 200: uncached(deviceToken, 'The token; it is returned only once.') },
      refusals: {
        400: '`authorization_pending`, `slow_down`, `access_denied`, `expired_token`, `invalid_request` or `unsupported_grant_type`.',
        503: '`temporarily_unavailable`: there is no leader.',
      },
    },
    ({ devices }) =>
      async function pollSignIn(ctx, _, { body: { device_code: code, grant_type: asked } }) {
        if (asked !== undefined && asked !== '' && asked !== grant) return refuse(ctx, 400, 'unsupported_grant_type');
        const polled = orThrow(ctx, await devices.poll(code));
        if (polled.is === 'error') return refuse(ctx, 400, polled.error);
        return sendPlain(ctx, {
          access_token: polled.text,
          token_type: 'Bearer',
          expires_in: polled.seconds,
        });
      },
  ),
  'GET /auth/device/{code}': route(
    {
      group: 'Access',
      summary: 'Reads the request with a user code.',
      path: { code: pathText },
      answers: { 200: uncached(deviceRequest, 'The request and the choices for its approval.') },
      refusals: { 404: 'No request has this code.' },
    },
    ({ devices }) =>
      function reviewSignIn(ctx, _, { path: { code } }) {
        const request = devices.find(code);
        if (!request) return refuse(ctx, 404, 'no sign-in has this code');
        return sendPlain(ctx, deviceReview(request));
      },
  ),
  'POST /auth/device/approve': route(
    {
      group: 'Access',
      summary: 'Approves a device sign-in.',
      path: {},
      body: { schema: deviceApproval },
      answers: { 200: decided },
      refusals: { 404: 'No request has this code.', 409: 'It is already decided.' },
    },
    ({ devices }) =>
      function approveSignIn(ctx, access, { body }) {
        // The rules refuse a value that is not a number of days.
        const choice = { access: body.access || null, days: body.days ?? Number.NaN };
        return sendDecided(ctx, devices.approve(body.code, callerIn(access), choice));
      },
  ),
  'POST /auth/device/deny': route(
    {
      group: 'Access',
      summary: 'Denies a device sign-in.',
      path: {},
      body: { schema: deviceDenial },
      answers: { 200: decided },
      refusals: { 404: 'No request has this code.', 409: 'It is already decided.' },
    },
    ({ devices }) =>
      function denySignIn(ctx, access, { body }) {
        return sendDecided(ctx, devices.refuse(body.code, callerIn(access)));
      },
  ),
} satisfies Resource;

function clientIn(ctx: Context, name: string | undefined): string {
  if (name === undefined || name === '') return unnamed;
  const client = printableName(name, maxClient);
  return client ?? refuse(ctx, 400, 'invalid_request');
}

const statuses = { unknown: 404, bad: 400, forbidden: 403, over: 409 } as const;

function sendDecided(ctx: AnswerContext<DeviceDecision>, outcome: Decided): void {
  if (outcome.is !== 'decided') return refuse(ctx, statuses[outcome.is], outcome.message);
  return sendPlain(ctx, deviceDecision(outcome.request));
}

/** The origin that the request was sent to; a proxy that terminates TLS reports the scheme. */
function originOf(ctx: Context): string {
  const { host = '' } = ctx.req.headers;
  if (!isPlainHost(host)) return refuse(ctx, 400, 'the Host header is malformed');
  return `${isHttps(ctx.req) ? 'https' : 'http'}://${host}`;
}
