import type { TokenCaller } from '../../rules/access/caller.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import type { ServerContext } from '../context.ts';
import { makeTokenMaking, type TokenMaking } from './tokens/make.ts';
import { type TokenRecord, tokenSecret, tokensOf } from './tokens/records.ts';
import { makeTokenRevoking, type TokenRevoking } from './tokens/revoke.ts';
import { makeTokenUse } from './tokens/use.ts';
import { makeVault } from './tokens/vault.ts';

/** The tokens of the API, from the caches. */
export interface Tokens {
  /** The caller of this token now; null where it is malformed, unknown, revoked or expired. */
  readonly callerOf: (text: string) => TokenCaller | null;
  /** Called when tokens may have been made, revoked or changed. */
  readonly onChange: (listener: () => void) => () => void;
}

/** The API tokens, with creation and revocation. */
export interface TokenStore extends Tokens, TokenMaking, TokenRevoking {
  readonly list: () => readonly TokenRecord[];
}

/** Reads tokens from the caches, so that every replica sees at once what another one wrote. */
export function makeTokens(context: ServerContext): TokenStore {
  const cache = context.operator.caches.of(secrets);
  const vault = makeVault(context.operator.caches);
  return {
    ...makeTokenMaking(context, vault),
    ...makeTokenRevoking(context, vault),
    callerOf: makeTokenUse(context, vault),
    list: () => [...tokensOf(cache.get(tokenSecret)).values()],
    onChange: (listener) =>
      cache.onChange(({ object }) => {
        if (object.metadata.name === tokenSecret) listener();
      }),
  };
}
