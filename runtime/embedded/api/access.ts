import type { IncomingMessage } from 'node:http';
import { type AccountTokens, createAccountTokens } from './authentication/accountTokens.ts';
import { type Authenticator, createAuthenticator } from './authentication/authenticator.ts';
import { createImpersonation } from './authentication/impersonation.ts';
import { keySetOf, signingKeyOf } from './authentication/jwt.ts';
import { keepNamespaceAccounts } from './authentication/namespaceAccounts.ts';
import { keepTokenSecrets } from './authentication/tokenSecrets.ts';
import { aggregateRoles } from './authorization/aggregation.ts';
import { type Attributes, attributesOf } from './authorization/attributes.ts';
import { ensureBootstrapPolicy } from './authorization/bootstrap/reconcile.ts';
import { type Caller, checkAllowed } from './authorization/caller.ts';
import { createPolicy } from './authorization/policy.ts';
import type { Json } from './json.ts';
import type { ApiStore } from './store/store.ts';
import type { Address } from './url.ts';

/** Who is let in, and to what. */
export interface Access {
  /** Finds out who sends a request, in whose name, and whether that one may; 401 or 403 else. */
  readonly admit: (request: IncomingMessage, address: Address) => Admitted;
  readonly authenticator: Authenticator;
  readonly tokens: AccountTokens;
  /** What tokens are checked with, as a set of JSON web keys. */
  readonly keySet: Json;
  readonly stop: () => Promise<void>;
}

interface Admitted {
  readonly caller: Caller;
  /** The user that sent the request, also where it impersonates another. */
  readonly sender: string;
  readonly asked: Attributes;
}

interface Credentials {
  readonly adminToken: string;
  readonly caPem: string;
  /** What the tokens of service accounts are signed with, in PEM. */
  readonly signingKey: string;
}

/** Puts the roles and accounts that every cluster has into the store, and keeps them there. */
export async function startAccess(store: ApiStore, { adminToken, caPem, signingKey }: Credentials): Promise<Access> {
  const key = signingKeyOf(signingKey);
  const tokens = createAccountTokens(store, key);
  const authenticator = createAuthenticator(adminToken, tokens);
  await ensureBootstrapPolicy(store);
  const policy = createPolicy(store);
  const impersonated = createImpersonation();
  const [aggregation, accounts] = await Promise.all([aggregateRoles(store), keepNamespaceAccounts(store, caPem)]);
  const secrets = keepTokenSecrets(store, tokens, caPem);

  function admit(request: IncomingMessage, { path, query }: Address): Admitted {
    const sender = { user: authenticator.ofRequest(request), policy };
    const asked = attributesOf(request.method ?? 'GET', path, query);
    const caller = { user: impersonated(sender, request.headers, asked), policy };
    checkAllowed(caller, asked);
    return { caller, sender: sender.user.name, asked };
  }

  async function stop() {
    policy.stop();
    secrets.stop();
    await aggregation.stop();
    await accounts.stop();
  }

  return { admit, authenticator, tokens, keySet: keySetOf(key), stop };
}
