import { type Effect, Semaphore } from 'effect';
import type { Caches } from '../../../runtime/cache/caches.ts';
import type { Secret } from '../../../crds/builtIn.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import { changeSecret, type SecretChange } from '../../../runtime/cache/secret.ts';
import type { Cluster, ReadError, WriteError } from '../../../runtime/services/cluster/cluster.ts';
import { type TokenRecord, tokenSecret, tokensOf } from './records.ts';

export type TokenFailure = ReadError | WriteError;

/** The content of the Secret: its tokens, and the keys in use, including malformed ones. */
interface VaultContent {
  readonly tokens: ReadonlyMap<string, TokenRecord>;
  readonly isTaken: (id: string) => boolean;
}

export type Writing<A> = Effect.Effect<A, TokenFailure, Cluster>;

/** The Secret of the tokens, created with the first token. */
export interface Vault {
  /** The cached version. */
  readonly held: () => VaultContent;
  /** Changes the newest version; after a conflict with another replica, decides again. */
  readonly change: <A>(follow: (held: VaultContent) => SecretChange<A>) => Writing<A>;
}

const heldIn = (secret: Secret | undefined): VaultContent => ({
  tokens: tokensOf(secret),
  isTaken: (id) => secret?.data?.[id] !== undefined,
});

/** Writes of this process run one after another, so only those of other replicas can conflict. */
export function makeVault(caches: Caches): Vault {
  const turn = Semaphore.makeUnsafe(1);
  return {
    held: () => heldIn(caches.of(secrets).get(tokenSecret)),
    change: (follow) => turn.withPermit(changeSecret(caches, tokenSecret, (secret) => follow(heldIn(secret)))),
  };
}
