import type { RouterContext } from '@koa/router';
import type { Secret } from '../../../crds/builtIn.ts';
import type { CoreDatabase } from '../../../crds/coreDatabase.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import { secretText } from '../../../runtime/services/secretText.ts';
import { refuse } from '../../orThrow.ts';
import type { Connection } from './shapes.ts';
import { type Access, callerIn } from '../../auth/guard.ts';
import { sendPlain } from '../../response.ts';
import type { ServerContext } from '../../context.ts';
import { databaseIn } from './databaseIn.ts';

/** An object with a connection Secret. */
export interface Connected {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly secret: string;
}

const connectionIn = (secret: Secret, reveals: boolean): Connection => ({
  host: secretText(secret, 'host'),
  port: secretText(secret, 'port'),
  database: secretText(secret, 'database'),
  username: secretText(secret, 'username'),
  ...(reveals ? { password: secretText(secret, 'password'), uri: secretText(secret, 'uri') } : {}),
});

/** How programs reach an object, kept by no cache; a password is returned on request alone, which is logged. */
export function sendConnection(
  ctx: RouterContext,
  { operator, log }: ServerContext,
  access: Access,
  { connected, reveals }: { readonly connected: Connected; readonly reveals: boolean },
): void {
  const { kind, name, namespace, secret } = connected;
  const found = secret === '' ? undefined : operator.caches.get(owned.secrets, secret, namespace);
  if (!found)
    return refuse(ctx, 409, `the ${kind === 'CoreDatabase' ? 'database' : 'logical database'} has no connection yet`);
  if (reveals) log('info', 'Connection details revealed', { kind, name, by: callerIn(access).username });
  return sendPlain(ctx, connectionIn(found, reveals));
}

const connectedOf = ({ metadata, status }: CoreDatabase): Connected => ({
  kind: 'CoreDatabase',
  name: metadata.name,
  namespace: status?.targetNamespace ?? '',
  secret: status?.connectionSecret ?? '',
});

/** The connection of a database. */
export const databaseConnection =
  (context: ServerContext) =>
  (
    ctx: RouterContext,
    access: Access,
    { path, query }: { readonly path: { readonly database: string }; readonly query: { readonly reveal?: string } },
  ): void =>
    sendConnection(ctx, context, access, {
      connected: connectedOf(databaseIn(ctx, context, path.database)),
      reveals: query.reveal === 'true',
    });
