import { Effect } from 'effect';
import type { Caches } from '../../runtime/caches.ts';
import { type Secret, secrets } from '../../runtime/resources.ts';
import { asSeen, Cluster, type ReadError, type WriteError } from '../../runtime/services/cluster.ts';
import { authSecret } from './directory.ts';

const tries = 5;

/** The sign-in Secret, read directly; undefined while there is none. */
export const readAuthSecret: Effect.Effect<Secret | undefined, ReadError, Cluster> = Effect.flatMap(
  Cluster,
  (cluster) => cluster.get(secrets, { name: authSecret }),
).pipe(Effect.catchTag('NotFound', () => Effect.succeed(undefined)));

/**
 * Writes keys of the sign-in Secret over the version they follow from, and lets the caches know at once. Somebody else's
 * write in between makes it read and follow anew; `null` writes nothing.
 */
export const changeAuthSecret = (
  caches: Caches,
  follow: (secret: Secret) => Readonly<Record<string, string>> | null,
): Effect.Effect<void, ReadError | WriteError, Cluster> =>
  Effect.gen(function* () {
    const cluster = yield* Cluster;
    const secret = yield* readAuthSecret;
    const data = secret ? follow(secret) : null;
    if (!secret || data === null) return;
    const written = yield* cluster.patch(secrets, { name: authSecret }, { data }, asSeen(secret));
    caches.of(secrets).note(written);
  }).pipe(Effect.retry({ times: tries - 1, while: ({ _tag }) => _tag === 'Conflict' }));
