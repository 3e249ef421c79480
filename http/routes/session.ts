import type { Context } from 'koa';
import { orThrow, refuse } from '../orThrow.ts';
import type { Session } from '../openapi/shapes/access.ts';
import { usersAreAbsent } from '../auth/absent.ts';
import { isLoopbackHost } from '../auth/address.ts';
import { cookieIn, sealTicket, setCookie } from '../auth/cookie.ts';
import { entryData, entryTexts } from '../auth/directory.ts';
import { withEpoch } from '../auth/entry.ts';
import type { EpochKeeper } from '../auth/epochs.ts';
import { callerIn } from '../auth/guard.ts';
import { changeAuthSecret } from '../auth/secret.ts';
import { signedIn } from '../auth/session.ts';
import type { Sessions } from '../auth/sessions.ts';
import type { SignIn } from '../auth/signIn.ts';
import { isHttps } from '../client.ts';
import { sendPlain, sendRead } from '../response.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServerContext } from '../context.ts';
import { identityOf } from '../views/identity.ts';

interface Parts {
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly epochs: EpochKeeper;
}

/** Sign-in, sign-out and the caller's identity. */
export function sessionRoutes(routes: Routes, context: ServerContext, { sessions, signIn, epochs }: Parts): void {
  routes.on('POST /login', async function login(ctx, _, { body: { username, password } }) {
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
        if (directory.sessionKey === null) return refuse(ctx, 503, 'nobody can sign in: the Secret has no session-key');
        const ticket = signedIn({ username, role, epoch }, context.now());
        ctx.append('Set-Cookie', setCookie(sealTicket(ticket, directory.sessionKey), isSecure(ctx)));
        return sendPlain(ctx, identityOf({ with: 'session', ...ticket }));
      }
    }
  });

  routes.on('POST /logout', async function logout(ctx) {
    const caller = sessions.callerOf(cookieIn(ctx.req.headers.cookie));
    if (caller) await endSessions(ctx, context, { epochs, username: caller.username });
    ctx.append('Set-Cookie', setCookie('', isSecure(ctx)));
    sendPlain(ctx, { authenticated: false } satisfies Session);
  });

  routes.on('GET /session', function session(ctx) {
    const caller = sessions.callerOf(cookieIn(ctx.req.headers.cookie));
    const session: Session = caller ? { authenticated: true, ...identityOf(caller) } : { authenticated: false };
    sendPlain(ctx, session);
  });

  routes.on('GET /me', function me(ctx, access) {
    sendRead(ctx, identityOf(callerIn(access)));
  });
}

/** Always, except for plain HTTP to a loopback address (decision 31). */
const isSecure = (ctx: Context): boolean => isHttps(ctx.req) || !isLoopbackHost(ctx.req.headers.host);

interface Ending {
  readonly epochs: EpochKeeper;
  readonly username: string;
}

/** Raises the epoch of a user, which ends all of their sessions, here and on every other replica. */
async function endSessions(ctx: Context, { operator, run }: ServerContext, { epochs, username }: Ending) {
  orThrow(ctx, await run(epochs.keep(username)));
  const signedOut = changeAuthSecret(operator.caches, (secret) => {
    const text = entryTexts(secret).get(username) ?? '';
    const shown = withEpoch(text, epochs.of(username));
    return shown === text ? null : entryData(username, shown);
  });
  orThrow(ctx, await run(signedOut));
}
