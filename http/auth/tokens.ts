import type { TokenCaller } from '../../rules/access/caller.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import type { Serving } from '../serving.ts';
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
export function makeTokens(serving: Serving): TokenStore {
  const cache = serving.operator.caches.of(secrets);
  const vault = makeVault(serving.operator.caches);
  return {
    ...makeTokenMaking(serving, vault),
    ...makeTokenRevoking(serving, vault),
    callerOf: makeTokenUse(serving, vault),
    list: () => [...tokensOf(cache.get(tokenSecret)).values()],
    onChange: (listener) =>
      cache.onChange(({ object }) => {
        if (object.metadata.name === tokenSecret) listener();
      }),
  };
}
