import { randomInt } from 'node:crypto';
import { Data, Effect } from 'effect';
import { writeSecret } from '../../runtime/services/secret.ts';
import { deadline, retryConflicts } from '../../runtime/services/cluster/retryConflicts.ts';
import { authSecret, directoryOf, userData } from './directory.ts';
import { type Hasher, isHashable, makeHasher } from './hasher.ts';
import { samplePassword } from './samplePassword.ts';
import { readAuthSecret } from './secret.ts';
import { newSessionKey } from './sessionKey.ts';

/** The password that was given for the first admin cannot be one. */
export class BadPassword extends Data.TaggedError('BadPassword')<{ readonly message: string }> {}

const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const generatedLength = 20;
const generate = () => Array.from({ length: generatedLength }, () => letters[randomInt(letters.length)]).join('');

/** The result of an attempt to seed. */
export interface Seeded {
  readonly isMade: boolean;
  /** The generated password, which has not been shown yet; null if none was generated. */
  readonly generated: string | null;
}

interface SeedOptions {
  readonly password?: string | undefined;
  readonly newHasher?: () => Hasher;
}

/**
 * Makes sure that somebody can sign in: creates the user `admin` when there is no user, and a session key when there is
 * none.
 */
export const seedAdmin = ({ password, newHasher = makeHasher }: SeedOptions) =>
  Effect.flatMap(deadline, (until) =>
    // Another replica may seed at the same time: the second one finds it done.
    retryConflicts(seedOnce(password, newHasher), until, ({ _tag }) => _tag === 'Conflict' || _tag === 'AlreadyExists'),
  );

const seedOnce = Effect.fnUntraced(function* (password: string | undefined, newHasher: () => Hasher) {
  const found = yield* readAuthSecret;
  const { users, sessionKey } = directoryOf(found);
  const generated = users.size === 0 && password === undefined ? generate() : null;
  const admin = users.size === 0 ? yield* firstAdmin(password ?? generated ?? '', newHasher) : {};
  const key = sessionKey === null ? newSessionKey() : {};
  const data = { ...admin, ...key };
  const isMade = Object.keys(data).length > 0;
  if (isMade) yield* writeSecret(authSecret, found, data);
  return { isMade, generated } satisfies Seeded;
});

const firstAdmin = Effect.fnUntraced(function* (password: string, newHasher: () => Hasher) {
  if (password === samplePassword) return yield* new BadPassword({ message: 'the sample password is refused' });
  if (!isHashable(password)) return yield* new BadPassword({ message: 'a password has at most 72 bytes' });
  const hash = yield* Effect.acquireUseRelease(
    Effect.sync(newHasher),
    (hasher) => Effect.promise(() => hasher.hash(password)),
    (hasher) => Effect.promise(() => hasher.stop()),
  );
  return userData('admin', { role: 'admin', password: hash });
});
