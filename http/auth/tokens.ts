import type { TokenCaller } from '../../rules/access/caller.ts';

/** The API tokens, as the caches hold them. */
export interface Tokens {
  /** Whose token this is now; null where it is malformed, unknown, revoked or expired. */
  readonly callerOf: (text: string) => TokenCaller | null;
  /** Called when tokens may have been made, revoked or changed. */
  readonly onChange: (listener: () => void) => () => void;
}
