import type { Decider } from '../deviceSignIn/facts.ts';

/** The command for a token; `secretRight` says whether the presented secret matches the stored hash. */
export type TokenAsked =
  | { readonly is: 'create'; readonly by: Decider; readonly expiresAt: number | null }
  | { readonly is: 'collect'; readonly lifetimeDays: number }
  | { readonly is: 'use'; readonly secretRight: boolean }
  | { readonly is: 'revoke'; readonly by: Decider }
  | { readonly is: 'deleteProject'; readonly project: string }
  | { readonly is: 'deleteEnvironment'; readonly project: string; readonly environment: string };

/** The facts when a token receives a command or is checked. Neither its secret nor a hash is ever included. */
export interface TokenFacts {
  readonly now: number;
  readonly asked: TokenAsked | null;
  /** Its project; null for a workspace token. */
  readonly project: string | null;
  /** Its environment; null for a workspace token. */
  readonly environment: string | null;
  /** Null for a token that never expires. */
  readonly expiresAt: number | null;
  /** The last recorded use. */
  readonly lastUsedAt: number | null;
}
