import { type Effect, Semaphore } from 'effect';
import type { Caches } from '../../../runtime/cache/caches.ts';
import type { Secret } from '../../../crds/builtIn.ts';
import { secrets } from '../../../runtime/resources.ts';
import { changeSecret, type SecretChange } from '../../../runtime/services/secret.ts';
import type { Cluster, ReadError, WriteError } from '../../../runtime/services/cluster.ts';
import { type TokenRecord, tokenSecret, tokensOf } from './records.ts';

export type TokenFailure = ReadError | WriteError;

/** What the Secret holds: its tokens, and which keys are taken, malformed ones too. */
export interface Held {
  readonly tokens: ReadonlyMap<string, TokenRecord>;
  readonly isTaken: (id: string) => boolean;
}

export type Writing<A> = Effect.Effect<A, TokenFailure, Cluster>;

/** The Secret of the tokens, made when the first one is stored. */
export interface Vault {
  /** As the caches hold it. */
  readonly held: () => Held;
  /** Over the newest version; decided anew where another replica wrote in between. */
  readonly change: <A>(follow: (held: Held) => SecretChange<A>) => Writing<A>;
}

const heldIn = (secret: Secret | undefined): Held => ({
  tokens: tokensOf(secret),
  isTaken: (id) => secret?.data?.[id] !== undefined,
});

/** Writes of this process wait for one another: only those of other replicas can come in between. */
export function makeVault(caches: Caches): Vault {
  const turn = Semaphore.makeUnsafe(1);
  return {
    held: () => heldIn(caches.of(secrets).get(tokenSecret)),
    change: (follow) => turn.withPermit(changeSecret(caches, tokenSecret, (secret) => follow(heldIn(secret)))),
  };
}
