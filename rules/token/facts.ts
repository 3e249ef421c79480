import type { Decider } from '../deviceSignIn/facts.ts';

/** What is asked of a token; `secretRight` tells whether the secret it was used with has the stored hash. */
export type TokenAsked =
  | { readonly is: 'create'; readonly by: Decider; readonly expiresAt: number | null }
  | { readonly is: 'collect'; readonly lifetimeDays: number }
  | { readonly is: 'use'; readonly secretRight: boolean }
  | { readonly is: 'revoke'; readonly by: Decider }
  | { readonly is: 'deleteProject'; readonly project: string };

/** What is known when a token is asked about or looked at. Neither its secret nor a hash is ever in it. */
export interface TokenFacts {
  readonly now: number;
  readonly asked: TokenAsked | null;
  /** The project it is for; null for a token of the workspace. */
  readonly project: string | null;
  /** Null for a token that never expires. */
  readonly expiresAt: number | null;
  /** The last use that was recorded. */
  readonly lastUsedAt: number | null;
}
