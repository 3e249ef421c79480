import { Result } from 'effect';
import { type Secret, secrets } from '../../runtime/resources.ts';
import { why } from '../../runtime/why.ts';
import type { Serving } from '../serving.ts';
import { authSecret, directoryOf, userData } from './directory.ts';
import { type Hasher, isHash, isHashable } from './hasher.ts';
import { changeAuthSecret } from './secret.ts';

/** Replaces every plain password by its hash, now and whenever somebody writes one by hand. Returns the unsubscriber. */
export function replacePlainPasswords({ operator, run, log }: Serving, hasher: Hasher): () => void {
  const { caches } = operator;
  const cache = caches.of(secrets);
  let working = false;

  const hashesOf = async (secret: Secret): Promise<ReadonlyMap<string, string>> => {
    const hashes = new Map<string, string>();
    for (const [username, { password }] of directoryOf(secret).users) {
      if (isHash(password)) continue;
      if (isHashable(password)) hashes.set(password, await hasher.hash(password));
      else log('warn', 'a password is longer than 72 bytes and cannot be used', { username });
    }
    return hashes;
  };

  const replace = async (secret: Secret) => {
    const hashes = await hashesOf(secret);
    if (hashes.size === 0) return;
    const written = await run(
      changeAuthSecret(caches, (newest) => {
        const plain = [...directoryOf(newest).users].filter(([, { password }]) => hashes.has(password));
        const data = plain.map(([name, user]) =>
          userData(name, { ...user, password: hashes.get(user.password) ?? '' }),
        );
        return data.length === 0 ? null : (Object.assign({}, ...data) as Record<string, string>);
      }),
    );
    if (Result.isFailure(written)) log('warn', 'plain passwords could not be replaced', { why: why(written.failure) });
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
      log('warn', 'plain passwords could not be replaced', { why: String(error) });
    } finally {
      working = false;
    }
  };

  void work();
  return cache.onChange(({ object, type }) => {
    if (object.metadata.name === authSecret && type !== 'deleted') void work();
  });
}
