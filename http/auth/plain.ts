import { Result } from 'effect';
import type { Secret } from '../../runtime/resources.ts';
import { why } from '../../runtime/why.ts';
import type { Serving } from '../serving.ts';
import { directoryOf, userData } from './directory.ts';
import { type Hasher, isHash, isHashable } from './hasher.ts';
import { changeAuthSecret } from './secret.ts';
import { tendAuthSecret } from './tending.ts';

/** Replaces every plain password by its hash, now and whenever somebody writes one by hand. Returns the unsubscriber. */
export function replacePlainPasswords(serving: Serving, hasher: Hasher): () => void {
  const { operator, run, log } = serving;

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
      changeAuthSecret(operator.caches, (newest) => {
        const plain = [...directoryOf(newest).users].filter(([, { password }]) => hashes.has(password));
        const data = plain.map(([name, user]) =>
          userData(name, { ...user, password: hashes.get(user.password) ?? '' }),
        );
        return data.length === 0 ? null : (Object.assign({}, ...data) as Record<string, string>);
      }),
    );
    if (Result.isFailure(written)) log('warn', 'plain passwords could not be replaced', { why: why(written.failure) });
  };

  return tendAuthSecret(serving, replace);
}
