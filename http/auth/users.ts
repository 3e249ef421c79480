import { Effect } from 'effect';
import type { Secret } from '../../crds/builtIn.ts';
import { type Controller, controller, watching } from '../../runtime/contract/controller.ts';
import { dataOf } from '../../runtime/contract/reads.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import type { Cluster } from '../../runtime/services/cluster/cluster.ts';
import { type SecretKeys, writeSecret } from '../../runtime/services/secret.ts';
import type { Log } from '../log.ts';
import { authSecret, directoryOf, entryData, entryTexts } from './directory.ts';
import { type Hashed, plainPasswordIn, unreadable, withEpoch } from './entry.ts';
import { type EpochKeeper, epochSecret } from './epochs.ts';
import type { Hasher } from './hasher.ts';
import { newSessionKey } from './sessionKey.ts';
import { type Ensured, type EnsureError, holds, ServiceFailed } from '../../runtime/contract/ensure.ts';

export interface UsersParts {
  readonly hasher: Hasher;
  readonly epochs: EpochKeeper;
  readonly log: Log;
}

/**
 * Processes users that are written by hand: hashes plain passwords, gives each entry its epoch, and logs unusable
 * users. A removed session key is replaced by a new one. Each write requires the version that was checked, because in
 * another one the same names may belong to other users.
 */
export function usersController(parts: UsersParts): Controller {
  const log = logUnusable(parts.log);
  return controller<Secret>({
    resource: secrets,
    name: 'users',
    owns: (name) => name === authSecret,
    expects: [authSecret],
    lifecycles: [],
    watches: [
      watching({
        resource: secrets,
        reads: dataOf,
        concerns: ({ metadata }) => (metadata.name === epochSecret ? [authSecret] : []),
      }),
    ],
    onChange: parts.epochs.follow,
    ensures: {
      sessionKey: { run: ({ object }) => withSessionKey(object, parts.log) },
      entries: {
        run: ({ object }) => {
          log(object);
          // The write of the key brings a new version, which is processed in its turn.
          return directoryOf(object).sessionKey === null ? Effect.succeed(holds) : withSafeEntries(object, parts);
        },
      },
    },
  });
}

function logUnusable(log: Log): (secret: Secret) => void {
  const logged = new WeakSet<Secret>();
  return (secret) => {
    if (logged.has(secret)) return;
    logged.add(secret);
    for (const [username, { problem }] of directoryOf(secret).unusable)
      log('warn', 'invalid user', { username, error: problem });
  };
}

const withSessionKey = Effect.fnUntraced(function* (
  secret: Secret,
  log: Log,
): Effect.fn.Return<Ensured, EnsureError, Cluster> {
  if (directoryOf(secret).sessionKey !== null) return holds;
  yield* writeSecret(authSecret, secret, newSessionKey());
  log('info', 'recreated session key; all sessions ended');
  return holds;
});

const withSafeEntries = Effect.fnUntraced(function* (
  secret: Secret,
  { hasher, epochs }: UsersParts,
): Effect.fn.Return<Ensured, EnsureError, Cluster> {
  const hashes = yield* hashesOf(secret, hasher, epochs);
  if (!epochs.isKept()) yield* epochs.keep();
  const keys = mended(secret, hashes, epochs);
  if (keys !== null) yield* writeSecret(authSecret, secret, keys);
  return holds;
});

const hashing = <A>(work: () => Promise<A>): Effect.Effect<A, ServiceFailed> =>
  Effect.tryPromise({ try: work, catch: (error) => new ServiceFailed({ message: String(error) }) });

const hashesOf = Effect.fnUntraced(function* (
  secret: Secret,
  hasher: Hasher,
  epochs: EpochKeeper,
): Effect.fn.Return<ReadonlyMap<string, Hashed>, ServiceFailed> {
  const hashes = new Map<string, Hashed>();
  for (const [username, text] of entryTexts(secret)) {
    const plain = plainPasswordIn(text);
    if (plain === null) continue;
    yield* endIfAnother({ username, plain }, hasher, epochs);
    // Each with its own salt, so that equal passwords are not visible.
    hashes.set(username, { plain, hash: yield* hashing(() => hasher.hash(plain)) });
  }
  return hashes;
});

interface PlainEntry {
  readonly username: string;
  readonly plain: string;
}

/** Without a written epoch, a user with another password than before counts as another user. */
const endIfAnother = Effect.fnUntraced(function* (
  { username, plain }: PlainEntry,
  hasher: Hasher,
  epochs: EpochKeeper,
) {
  const before = epochs.of(username);
  const hash = epochs.hashBefore(username);
  if (before === null || hash === null) return;
  if (!(yield* hashing(() => hasher.matches(plain, hash)))) epochs.end(username, before);
});

/** The entries that need another text; null where none does. */
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
