import { Optional as optional, Type } from '@sinclair/typebox';
import { oneNumberOf, oneOf, orNull, text, time } from '../kit.ts';

const roles = ['admin', 'observer', 'viewer'] as const;

export const errorBody = Type.Object({ error: text('A readable description of the error.') }, { title: 'Error' });

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

/** The signed-in caller, or nobody. */
export const session = Type.Union(
  [
    Type.Object({ authenticated: Type.Literal(false) }),
    Type.Object({ authenticated: Type.Literal(true), ...identityFields }),
  ],
  { title: 'Session' },
);

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

export const done = Type.Object(
  {
    name: text('The name of the object that was acted on.'),
    state: text('Its current state, in words.'),
    note: optional(text()),
  },
  { title: 'Done' },
);

export const user = Type.Object(
  {
    name: text(),
    role: text('As written in the Secret: admin or viewer for a usable user.'),
    usable: Type.Boolean({ description: 'Whether the user can sign in.' }),
    problem: text('Why the user cannot sign in; empty otherwise.'),
  },
  { title: 'User' },
);

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
export const newToken = Type.Object(
  { ...tokenFields, token: text('The secret text of the token, returned only once.') },
  { title: 'NewToken' },
);

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

export const deviceToken = Type.Object(
  {
    access_token: text('The token, returned only once.'),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds.' }),
  },
  { title: 'DeviceToken' },
);

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

const code = Type.String({ minLength: 1, maxLength: 64, description: 'In upper or lower case, with or without `-`.' });

export const deviceApproval = Type.Object({
  code,
  // The machine knows and reports the allowed values (DEV-022a).
  access: optional(orNull(text('admin, observer or viewer; observer, which is read-only with logs, by default.'))),
  days: optional(Type.Integer({ description: '7, 30 or 90.' })),
});

export const deviceDenial = Type.Object({ code });

export const deviceDecided = Type.Object(
  { user_code: text(), state: oneOf(...deviceStates) },
  { title: 'DeviceDecided' },
);
