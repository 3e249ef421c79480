import { Result } from 'effect';
import type { Secret } from '../../crds/builtIn.ts';
import type { SecretKeys } from '../../runtime/services/secret.ts';
import { why } from '../../runtime/services/why.ts';
import type { Serving } from '../serving.ts';
import { directoryOf, entryData, entryTexts } from './directory.ts';
import { type Hashed, plainPasswordIn, unreadable, withEpoch } from './entry.ts';
import type { EpochKeeper } from './epochs.ts';
import type { Hasher } from './hasher.ts';
import { changeAuthSecret } from './secret.ts';
import { tendAuthSecret, type Tending } from './tending.ts';

/**
 * Sees to the users that somebody writes by hand: hashes plain passwords, gives each entry its epoch, and says in the log
 * who cannot be used.
 */
export function tendUsers(serving: Serving, hasher: Hasher, epochs: EpochKeeper): Tending {
  const { operator, run, log } = serving;

  const hashesOf = async (secret: Secret): Promise<ReadonlyMap<string, Hashed>> => {
    const hashes = new Map<string, Hashed>();
    for (const [username, text] of entryTexts(secret)) {
      const plain = plainPasswordIn(text);
      if (plain === null) continue;
      await endIfAnother(username, plain);
      // Each with a salt of its own, so that nobody sees who has the same password.
      hashes.set(username, { plain, hash: await hasher.hash(plain) });
    }
    return hashes;
  };

  /** Whoever has another password than the user before, whose epoch nobody wrote down, is taken for somebody else. */
  const endIfAnother = async (username: string, plain: string) => {
    const before = epochs.of(username);
    const hash = epochs.hashBefore(username);
    if (before !== null && hash !== null && !(await hasher.matches(plain, hash))) epochs.end(username, before);
  };

  const tellUnusable = (secret: Secret) => {
    for (const [username, { problem }] of directoryOf(secret).unusable)
      log('warn', 'a user cannot be used', { username, why: problem });
  };

  return tendAuthSecret(serving, async (secret) => {
    tellUnusable(secret);
    const hashes = await hashesOf(secret);
    if (!epochs.isKept()) {
      const kept = await run(epochs.keep());
      if (Result.isFailure(kept)) return why(kept.failure);
    }
    const written = await run(
      changeAuthSecret(operator.caches, (newest) => (isSame(newest, secret) ? mended(newest, hashes, epochs) : null)),
    );
    return Result.isFailure(written) ? why(written.failure) : null;
  });
}

/** Another version may have the entries of others under the same names: it is gone over in its turn. */
const isSame = (a: Secret, b: Secret): boolean => a.metadata.resourceVersion === b.metadata.resourceVersion;

/** What of the entries has to be another text; null where all may stay. */
function mended(
  secret: Secret,
  hashes: ReadonlyMap<string, Hashed>,
  epochs: Pick<EpochKeeper, 'of'>,
): SecretKeys | null {
  const changes = [...entryTexts(secret)].flatMap(([username, text]) => {
    const safe = unreadable(text, hashes.get(username));
    const next = withEpoch(safe, epochs.of(username));
    return next === text ? [] : [entryData(username, next)];
  });
  return changes.length === 0 ? null : (Object.assign({}, ...changes) as SecretKeys);
}
