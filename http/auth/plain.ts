import { Result } from 'effect';
import { Cluster, Conflict } from '../../runtime/services/cluster.ts';
import { type Secret, secrets } from '../../runtime/resources.ts';
import { Effect } from 'effect';
import type { Serving } from '../serving.ts';
import { authSecret, directoryOf, userData } from './directory.ts';
import { type Hasher, isHash, isHashable } from './hasher.ts';

/** Writes keys of the sign-in Secret over the version that was read, and lets the caches know at once. */
export const writeSecret = (serving: Pick<Serving, 'run' | 'operator'>, read: Secret, data: object) =>
  serving.run(
    Effect.gen(function* () {
      const cluster = yield* Cluster;
      const { resourceVersion } = read.metadata;
      const written = yield* cluster.patch(
        secrets,
        { name: authSecret },
        { data },
        resourceVersion === undefined ? {} : { resourceVersion },
      );
      serving.operator.caches.of(secrets).note(written);
      return written;
    }),
  );

/** Replaces every plain password by its hash, now and whenever somebody writes one by hand. Returns the unsubscriber. */
export function replacePlainPasswords(serving: Serving, hasher: Hasher): () => void {
  const cache = serving.operator.caches.of(secrets);
  let working = false;

  const replace = async (secret: Secret) => {
    const data: Record<string, string> = {};
    for (const [username, user] of directoryOf(secret).users) {
      if (isHash(user.password)) continue;
      if (isHashable(user.password))
        Object.assign(data, userData(username, { ...user, password: await hasher.hash(user.password) }));
      else serving.log('warn', 'a password is longer than 72 bytes and cannot be used', { username });
    }
    if (Object.keys(data).length === 0) return;
    const written = await writeSecret(serving, secret, data);
    if (Result.isFailure(written) && !(written.failure instanceof Conflict))
      serving.log('warn', 'plain passwords could not be replaced', { error: written.failure._tag });
  };

  /** Until the newest version was gone through: whoever wrote meanwhile is read too. */
  const work = async () => {
    if (working) return;
    working = true;
    try {
      for (let done: Secret | undefined; ;) {
        const secret = cache.get(authSecret);
        if (!secret || secret === done) return;
        await replace(secret);
        done = secret;
      }
    } catch (error) {
      serving.log('warn', 'plain passwords could not be replaced', { error: String(error) });
    } finally {
      working = false;
    }
  };

  void work();
  return cache.onChange(({ object, type }) => {
    if (object.metadata.name === authSecret && type !== 'deleted') void work();
  });
}
