import { Optional as optional, Type } from '@sinclair/typebox';
import { type ReadonlyStatic, oneNumberOf, oneOf, orNull, text, time } from '../kit.ts';

const roles = ['admin', 'observer', 'viewer'] as const;

const identityFields = {
  username: text('`token:<name>` for a token.'),
  role: oneOf(...roles),
  scope: oneOf('workspace', 'project'),
  project: optional(text('For a project token only.')),
  environment: optional(text('For a project token only.')),
  canMutate: Type.Boolean(),
  canReadSensitive: Type.Boolean(),
  authentication: oneOf('session', 'token'),
  expiresAt: optional(time('Absent for a token that never expires.')),
};

/** The caller (document 002, Identity). */
export const identity = Type.Object(identityFields, { title: 'Identity' });
/** Who is signed in (document 002, GET /me; decision 20). */
export type Identity = ReadonlyStatic<typeof identity>;

/** The signed-in caller, or nobody. */
export const session = Type.Union(
  [
    Type.Object({ authenticated: Type.Literal(false) }),
    Type.Object({ authenticated: Type.Literal(true), ...identityFields }),
  ],
  { title: 'Session' },
);
export type Session = ReadonlyStatic<typeof session>;

export const signedOut = Type.Object({ authenticated: Type.Literal(false) }, { title: 'SignedOut' });

export const platform = Type.Object(
  {
    gitHost: text('Repositories are pushed to `<gitHost>/<owner>/<name>.git`.'),
    simulatedNodes: Type.Boolean({
      description: 'Whether nodes of the cluster are simulated: their pods run nothing.',
    }),
    podmanNode: Type.Boolean({
      description: 'Whether the cluster is one machine, which runs pods in containers of podman.',
    }),
  },
  { title: 'Platform' },
);
/** GET /api/v1/platform */
export type Platform = ReadonlyStatic<typeof platform>;

export const user = Type.Object(
  {
    name: text(),
    role: text('As written in the Secret: admin or viewer for a usable user.'),
    usable: Type.Boolean({ description: 'Whether the user can sign in.' }),
    problem: text('Why the user cannot sign in; empty otherwise.'),
  },
  { title: 'User' },
);
/** GET /api/v1/users, by name: a user of the sign-in Secret, without password and epoch. Written with kubectl alone. */
export type UserItem = ReadonlyStatic<typeof user>;

const tokenFields = {
  id: text('The public identifier.'),
  name: text(),
  kind: oneOf('workspace', 'project'),
  role: oneOf(...roles),
  project: optional(text('For a project token only.')),
  environment: optional(text('For a project token only.')),
  createdAt: time(),
  createdBy: text(),
  expiresAt: optional(time('Absent for a token that never expires.')),
  lastUsedAt: optional(time('Written at most once every 10 minutes.')),
  expired: Type.Boolean(),
};

export const token = Type.Object(tokenFields, { title: 'Token' });
/** GET /api/v1/tokens, by name: an API token without its secret. */
export type ApiToken = ReadonlyStatic<typeof token>;
export const newToken = Type.Object(
  { ...tokenFields, token: text('The secret text of the token, returned only once.') },
  { title: 'NewToken' },
);
/** The response to it, and the only one that carries the token. */
export type NewApiToken = ReadonlyStatic<typeof newToken>;

export const tokenAsked = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    role: optional(oneOf('admin', 'observer', 'viewer')),
    project: optional(
      Type.String({ description: 'Together with `environment`: restricts the token to that environment.' }),
    ),
    environment: optional(Type.String()),
    expiresAt: optional(orNull(time('At most ten years from now; null for never.'))),
  },
  { title: 'TokenAsked' },
);
/** POST /api/v1/tokens: a role, or project and environment. */
export type TokenAsked = ReadonlyStatic<typeof tokenAsked>;

export const deviceIssued = Type.Object(
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

export const deviceToken = Type.Object(
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

export const deviceRequest = Type.Object(
  {
    user_code: text(),
    client: text('The name that the client gives itself, unverified.'),
    address: text('The address that the request came from.'),
    state: oneOf(...deviceStates),
    issuedAt: time(),
    expiresAt: time(),
    accesses: Type.Array(oneOf(...roles)),
    lifetimes: Type.Array(oneNumberOf(7, 30, 90)),
  },
  { title: 'DeviceRequest' },
);
/** GET /api/v1/auth/device/{code}, by the user code: what an approver reviews and may choose from. */
export type DeviceReview = ReadonlyStatic<typeof deviceRequest>;

const code = Type.String({ minLength: 1, maxLength: 64, description: 'In upper or lower case, with or without `-`.' });

export const deviceApproval = Type.Object({
  code,
  // The machine knows and reports the allowed values (DEV-022a).
  access: optional(orNull(text('admin, observer or viewer; observer, which is read-only with logs, by default.'))),
  days: optional(Type.Integer({ description: '7, 30 or 90.' })),
});
/** POST /api/v1/auth/device/approve */
export type DeviceApproval = ReadonlyStatic<typeof deviceApproval>;

export const deviceDenial = Type.Object({ code });
/** POST /api/v1/auth/device/deny */
export type DeviceDenial = ReadonlyStatic<typeof deviceDenial>;

export const deviceDecided = Type.Object(
  { user_code: text(), state: oneOf(...deviceStates) },
  { title: 'DeviceDecided' },
);
/** The response to both. */
export type DeviceDecision = ReadonlyStatic<typeof deviceDecided>;
