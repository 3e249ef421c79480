import { Optional as optional, Type } from '@sinclair/typebox';
import { itemsOf, pathText } from '../kit.ts';
import { read, said, type Schemas } from '../schema.ts';
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

const decided = said(deviceDecided, 'What has been decided.');

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
    answers: { 200: said(identity, 'Signed in; the cookie holds for twelve hours.') },
    refusals: {
      401: 'The username or the password is wrong, or either is locked.',
      503: 'Too many people are signing in at this moment.',
    },
  },
  'POST /logout': {
    group: 'Access',
    summary: 'Ends every session of the user and takes the cookie away.',
    path: {},
    answers: { 200: said(signedOut, 'Nobody is signed in.') },
    refusals: {},
  },
  'GET /session': {
    group: 'Access',
    summary: 'Tells whether a cookie is that of a session, and whose.',
    path: {},
    answers: { 200: said(session, 'Who is signed in, if anybody.') },
  },
  'GET /me': {
    group: 'Access',
    summary: 'Tells who asks and what they may do.',
    path: {},
    answers: read(identity, 'Who asks.'),
  },
  'GET /users': {
    group: 'Access',
    summary: 'Lists the users, by name, and says who cannot sign in and why.',
    path: {},
    answers: { 200: said(itemsOf(user), 'The users; neither passwords nor hashes are told.') },
  },
  'POST /auth/device': {
    group: 'Access',
    summary: 'Asks for a device code, which a signed-in admin then approves or refuses.',
    path: {},
    body: {
      schema: Type.Object({ client_name: optional(Type.String()) }),
      optional: true,
      ignoresOthers: true,
    },
    answers: { 200: said(deviceIssued, 'The codes, and where a person enters theirs.') },
    refusals: {
      400: '`invalid_request`.',
      429: '`temporarily_unavailable`: too many are pending; `slow_down`: this address has asked too often.',
      503: '`temporarily_unavailable`: nobody leads.',
    },
  },
  'POST /auth/token': {
    group: 'Access',
    summary: 'Collects the token of a device code, once it is approved.',
    path: {},
    body: {
      schema: Type.Object({
        device_code: Type.String({ minLength: 1 }),
        grant_type: optional(Type.String()),
      }),
      ignoresOthers: true,
    },
    answers: { 200: said(deviceToken, 'The token, this once.') },
    refusals: {
      400: '`authorization_pending`, `slow_down`, `access_denied`, `expired_token`, `invalid_request` or `unsupported_grant_type`.',
      503: '`temporarily_unavailable`: nobody leads.',
    },
  },
  'GET /auth/device/{code}': {
    group: 'Access',
    summary: 'Shows the request that a user code stands for.',
    path: { code: pathText },
    answers: { 200: said(deviceRequest, 'The request, and what may be chosen for it.') },
    refusals: { 404: 'No request has this code.' },
  },
  'POST /auth/device/approve': {
    group: 'Access',
    summary: 'Approves a device sign-in.',
    path: {},
    body: { schema: deviceApproval },
    answers: { 200: decided },
    refusals: { 404: 'No request has this code.', 409: 'It has been decided already.' },
  },
  'POST /auth/device/deny': {
    group: 'Access',
    summary: 'Refuses a device sign-in.',
    path: {},
    body: { schema: deviceDenial },
    answers: { 200: decided },
    refusals: { 404: 'No request has this code.', 409: 'It has been decided already.' },
  },
} as const satisfies Schemas<AccessRoute>;

type AccessRoute =
  | 'POST /login'
  | 'POST /logout'
  | 'GET /session'
  | 'GET /me'
  | 'GET /users'
  | 'POST /auth/device'
  | 'POST /auth/token'
  | 'GET /auth/device/{code}'
  | 'POST /auth/device/approve'
  | 'POST /auth/device/deny';
