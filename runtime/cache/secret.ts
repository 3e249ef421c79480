import { Effect } from 'effect';
import type { Caches } from './caches.ts';
import type { Secret } from '../../crds/builtIn.ts';
import { secrets } from '../services/cluster/resources.ts';
import { Cluster, type ReadError, type WriteError } from '../services/cluster/cluster.ts';
import { deadline, retryConflicts } from '../services/cluster/retryConflicts.ts';
import { type Beside, readSecret, type SecretKeys, writeSecret } from '../services/secret.ts';

/** The keys to write, null for none, and the result for the caller. */
export interface SecretChange<A> {
  readonly keys: SecretKeys | null;
  readonly result: A;
  readonly beside?: Beside;
}

/** `in turn` notes a version in the caches only when that skips no version, for a Secret whose every version counts. */
export type Noting = 'always' | 'in turn';

/**
 * Writes keys of a Secret over the version that was read, creates the Secret when missing, and notes it in the caches
 * at once, even without a write, so that changes of other writers are seen. After a conflict it reads and decides
 * again.
 */
export const changeSecret = <A>(
  caches: Caches,
  name: string,
  follow: (secret: Secret | undefined) => SecretChange<A>,
  noting: Noting = 'always',
): Effect.Effect<A, ReadError | WriteError, Cluster> =>
  Effect.flatMap(deadline, (until) =>
    retryConflicts(changeOnce(caches, name, follow, noting), until, ({ _tag }) => isOvertaken.has(_tag)),
  );

const changeOnce = Effect.fnUntraced(function* <A>(
  caches: Caches,
  name: string,
  follow: (secret: Secret | undefined) => SecretChange<A>,
  noting: Noting,
): Effect.fn.Return<A, ReadError | WriteError, Cluster> {
  const secret = yield* readSecret(name);
  const { keys, result, beside } = follow(secret);
  const cache = caches.of(secrets);
  if (keys === null) {
    if (noting === 'always' && secret !== undefined) cache.note(secret);
    return result;
  }
  const isInTurn = cache.get(name)?.metadata.resourceVersion === secret?.metadata.resourceVersion;
  const written = yield* writeSecret(name, secret, keys, beside);
  if (noting === 'always' || isInTurn) cache.note(written);
  return result;
});

/** Another writer changed, created or deleted it since it was read. */
const isOvertaken: ReadonlySet<string> = new Set(['Conflict', 'AlreadyExists', 'NotFound']);
