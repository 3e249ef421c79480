import type { Effect } from 'effect';
import type { Caches } from '../../runtime/cache/caches.ts';
import type { Secret } from '../../crds/builtIn.ts';
import { readSecret, type SecretKeys } from '../../runtime/services/secret.ts';
import type { Cluster, ReadError, WriteError } from '../../runtime/services/cluster/cluster.ts';
import { authSecret } from './directory.ts';
import { changeSecret } from '../../runtime/cache/secret.ts';

/** The sign-in Secret, read from the API and not from the cache; undefined while there is none. */
export const readAuthSecret: Effect.Effect<Secret | undefined, ReadError, Cluster> = readSecret(authSecret);

/** Writes keys of the sign-in Secret; without the Secret nobody can sign in, and nothing is written. */
export const changeAuthSecret = (
  caches: Caches,
  follow: (secret: Secret) => SecretKeys | null,
): Effect.Effect<void, ReadError | WriteError, Cluster> =>
  // A skipped version could be the one in which a user was gone.
  changeSecret(
    caches,
    authSecret,
    (secret) => ({ keys: secret ? follow(secret) : null, result: undefined }),
    'in turn',
  );
