import { Optional as optional, Type } from '@sinclair/typebox';
import type { Context } from 'koa';
import { usersAreAbsent } from '../auth/absent.ts';
import { isLoopbackHost } from '../auth/address.ts';
import { cookieIn, sealTicket, setCookie } from '../auth/cookie.ts';
import { entryData, entryTexts } from '../auth/directory.ts';
import { withEpoch } from '../auth/entry.ts';
import { callerIn } from '../auth/guard.ts';
import { changeAuthSecret } from '../auth/secret.ts';
import { signedIn } from '../auth/session.ts';
import { isHttps } from '../request/client.ts';
import { oneOf, type ReadonlyStatic, text, time } from '../openapi/kit.ts';
import { read, uncached } from '../openapi/schema.ts';
import { orThrow, refuse } from '../orThrow.ts';
import { sendPlain, sendRead } from '../response.ts';
import { type Resource, route, type RouteContext } from '../route.ts';
import { role } from './resource.ts';
import { identityOf } from '../views/identity.ts';

const identityFields = {
  username: text('`token:<name>` for a token.'),
  role,
  scope: oneOf('workspace', 'project'),
  project: optional(text('For a project token only.')),
  environment: optional(text('For a project token only.')),
  canMutate: Type.Boolean(),
  canReadSensitive: Type.Boolean(),
  authentication: oneOf('session', 'token'),
  expiresAt: optional(time('Absent for a token that never expires.')),
};

/** The caller (document 002, Identity). */
const identity = Type.Object(identityFields, { title: 'Identity' });
/** Who is signed in (document 002, GET /me; decision 20). */
export type Identity = ReadonlyStatic<typeof identity>;

/** The signed-in caller, or that there is none. */
const session = Type.Union(
  [
    Type.Object({ authenticated: Type.Literal(false) }),
    Type.Object({ authenticated: Type.Literal(true), ...identityFields }),
  ],
  { title: 'Session' },
);
export type Session = ReadonlyStatic<typeof session>;

const signedOut = Type.Object({ authenticated: Type.Literal(false) }, { title: 'SignedOut' });

/** Sign-in, sign-out and the caller's identity (document 002, Public paths). */
export const sessionRoutes = {
  'POST /login': route(
    {
      group: 'Access',
      summary: 'Signs a user in and sets the session cookie.',
      path: {},
      body: {
        schema: Type.Object({ username: Type.String({ minLength: 1 }), password: Type.String({ minLength: 1 }) }),
        whole: 'username and password are required',
      },
      answers: { 200: uncached(identity, 'Signed in; the cookie is valid for twelve hours.') },
      refusals: {
        401: 'The username or the password is wrong, or either is locked.',
        503: 'Too many users are signing in at the moment.',
      },
    },
    (context) => {
      const { signIn } = context;
      return async function login(ctx, _, { body: { username, password } }) {
        const client = context.clientOf(ctx.req);
        const outcome = orThrow(ctx, await signIn({ username, password, client }));
        switch (outcome.is) {
          case 'refused':
            return refuse(ctx, 401, 'the username or the password is wrong');
          case 'sample':
            return refuse(ctx, 401, 'the sample password is refused: set another one');
          case 'busy':
            return refuse(ctx, 503, 'too many people are signing in at this moment: try again');
          case 'notTakenUp':
            return refuse(ctx, 503, 'the leader has not taken up the entry of this user yet: try again in a moment');
          case 'nobody':
            return refuse(ctx, 503, usersAreAbsent);
          case 'in': {
            const { role, epoch, directory } = outcome;
            if (directory.sessionKey === null)
              return refuse(ctx, 503, 'nobody can sign in: the Secret has no session-key');
            const ticket = signedIn({ username, role, epoch }, context.now());
            ctx.append('Set-Cookie', setCookie(sealTicket(ticket, directory.sessionKey), isSecure(ctx)));
            return sendPlain(ctx, identityOf({ with: 'session', ...ticket }));
          }
        }
      };
    },
  ),
  'POST /logout': route(
    {
      group: 'Access',
      summary: 'Ends all sessions of the user and removes the cookie.',
      path: {},
      answers: { 200: uncached(signedOut, 'Signed out.') },
      refusals: {},
    },
    (context) => {
      const { sessions } = context;
      return async function logout(ctx) {
        const caller = sessions.callerOf(cookieIn(ctx.req.headers.cookie));
        if (caller) await endSessions(ctx, context, caller.username);
        ctx.append('Set-Cookie', setCookie('', isSecure(ctx)));
        sendPlain(ctx, { authenticated: false });
      };
    },
  ),
  'GET /session': route(
    {
      group: 'Access',
      summary: 'Returns the session of the cookie and its user.',
      path: {},
      answers: { 200: uncached(session, 'The signed-in user, if there is one.') },
    },
    ({ sessions }) =>
      function session(ctx) {
        const caller = sessions.callerOf(cookieIn(ctx.req.headers.cookie));
        sendPlain(ctx, caller ? { authenticated: true, ...identityOf(caller) } : { authenticated: false });
      },
  ),
  'GET /me': route(
    {
      group: 'Access',
      summary: 'Returns the identity and the permissions of the caller.',
      path: {},
      answers: read(identity, 'The caller.'),
    },
    () =>
      function me(ctx, access) {
        sendRead(ctx, identityOf(callerIn(access)));
      },
  ),
} satisfies Resource;

/** Always, except for plain HTTP to a loopback address (decision 31). */
const isSecure = (ctx: Context): boolean => isHttps(ctx.req) || !isLoopbackHost(ctx.req.headers.host);

/** Raises the epoch of a user, which ends all of their sessions, here and on every other replica. */
async function endSessions(ctx: Context, { caches, epochs, run }: RouteContext, username: string): Promise<void> {
  orThrow(ctx, await run(epochs.keep(username)));
  const signedOut = changeAuthSecret(caches, (secret) => {
    const text = entryTexts(secret).get(username) ?? '';
    const shown = withEpoch(text, epochs.of(username));
    return shown === text ? null : entryData(username, shown);
  });
  orThrow(ctx, await run(signedOut));
}
