import { Optional as optional, Type } from '@sinclair/typebox';
import { pathText } from '../kit.ts';
import { pageQuery, pages } from '../paging.ts';
import { read, said, type SomeSchemas } from '../schema.ts';
import {
  deviceApproval,
  deviceDecided,
  deviceDenial,
  deviceIssued,
  deviceRequest,
  deviceToken,
  identity,
  session,
  signedOut,
  user,
} from '../shapes/access.ts';

const decided = said(deviceDecided, 'The decision.');

/** Sign-in, sign-out and the caller's identity (document 002, Public paths and Device sign-in). */
export const accessSchemas = {
  'POST /login': {
    group: 'Access',
    summary: 'Signs a user in and sets the session cookie.',
    path: {},
    body: {
      schema: Type.Object({ username: Type.String({ minLength: 1 }), password: Type.String({ minLength: 1 }) }),
      whole: 'username and password are required',
    },
    answers: { 200: said(identity, 'Signed in; the cookie is valid for twelve hours.') },
    refusals: {
      401: 'The username or the password is wrong, or either is locked.',
      503: 'Too many users are signing in at the moment.',
    },
  },
  'POST /logout': {
    group: 'Access',
    summary: 'Ends all sessions of the user and removes the cookie.',
    path: {},
    answers: { 200: said(signedOut, 'Signed out.') },
    refusals: {},
  },
  'GET /session': {
    group: 'Access',
    summary: 'Returns the session of the cookie and its user.',
    path: {},
    answers: { 200: said(session, 'The signed-in user, if there is one.') },
  },
  'GET /me': {
    group: 'Access',
    summary: 'Returns the identity and the permissions of the caller.',
    path: {},
    answers: read(identity, 'The caller.'),
  },
  'GET /users': {
    group: 'Access',
    summary: 'Lists the users by name, and says why one cannot sign in.',
    path: {},
    query: Type.Object(pageQuery),
    ...pages(user, 'The users, without passwords and hashes.'),
  },
  'POST /auth/device': {
    group: 'Access',
    summary: 'Requests a device code, which a signed-in admin then approves or denies.',
    path: {},
    body: {
      schema: Type.Object({ client_name: optional(Type.String()) }),
      optional: true,
      ignoresOthers: true,
    },
    answers: { 200: said(deviceIssued, 'The codes, and the page where the user code is entered.') },
    refusals: {
      400: '`invalid_request`.',
      429: '`temporarily_unavailable`: too many requests are pending; `slow_down`: too many requests from this address.',
      503: '`temporarily_unavailable`: there is no leader.',
    },
  },
  'POST /auth/token': {
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
    answers: { 200: said(deviceToken, 'The token; it is returned only once.') },
    refusals: {
      400: '`authorization_pending`, `slow_down`, `access_denied`, `expired_token`, `invalid_request` or `unsupported_grant_type`.',
      503: '`temporarily_unavailable`: there is no leader.',
    },
  },
  'GET /auth/device/{code}': {
    group: 'Access',
    summary: 'Reads the request with a user code.',
    path: { code: pathText },
    answers: { 200: said(deviceRequest, 'The request and the choices for its approval.') },
    refusals: { 404: 'No request has this code.' },
  },
  'POST /auth/device/approve': {
    group: 'Access',
    summary: 'Approves a device sign-in.',
    path: {},
    body: { schema: deviceApproval },
    answers: { 200: decided },
    refusals: { 404: 'No request has this code.', 409: 'It is already decided.' },
  },
  'POST /auth/device/deny': {
    group: 'Access',
    summary: 'Denies a device sign-in.',
    path: {},
    body: { schema: deviceDenial },
    answers: { 200: decided },
    refusals: { 404: 'No request has this code.', 409: 'It is already decided.' },
  },
} as const satisfies SomeSchemas;
