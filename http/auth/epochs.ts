import { Effect } from 'effect';
import {
  adoptedEpochs,
  endedSessions,
  type EntrySeen,
  type Epochs,
  followedEpochs,
  mergedEpochs,
  type NameEpoch,
  noEpochs,
  sameEpochs,
  type UsersSeen,
} from '../../rules/dashboardSession/epochs.ts';
import type { Secret } from '../../crds/builtIn.ts';
import type { Changed } from '../../runtime/cache/cache.ts';
import type { Caches } from '../../runtime/cache/caches.ts';
import { secrets } from '../../runtime/resources.ts';
import { changeSecret } from '../../runtime/services/secret.ts';
import { secretText } from '../../runtime/services/secretText.ts';
import type { Cluster, ReadError, WriteError } from '../../runtime/services/cluster.ts';
import { authSecret, type Directory, directoryOf, encode } from './directory.ts';
import { fieldsIn, isEpoch } from './entry.ts';
import { isHash } from './hasher.ts';

/** The Secret in core-system that holds the epochs: beside the users, so that nobody who writes those takes one back. */
export const epochSecret = 'core-dashboard-epochs';
const epochsKey = 'epochs';

/** Reads the Secret; an epoch that is malformed counts as absent. */
export function epochsIn(secret: Secret | undefined): Epochs {
  const { key, names } = fieldsIn(secretText(secret, epochsKey)) ?? {};
  const known = Object.entries(names ?? {}).flatMap(([name, one]): readonly [string, NameEpoch][] => {
    const { epoch, isGone } = (one ?? {}) as Partial<NameEpoch>;
    return isEpoch(epoch) ? [[name, { epoch, isGone: isGone === true }]] : [];
  });
  return { key: typeof key === 'string' ? key : '', names: new Map(known) };
}

const epochData = ({ key, names }: Epochs) => ({
  [epochsKey]: encode(JSON.stringify({ key, names: Object.fromEntries(names) })),
});

/** Which sessions are good: once one is over it never comes back, whoever writes whatever into the users' Secret. */
export interface EpochKeeper {
  /** What is known of every name; another object when any of it is other. */
  readonly current: () => Epochs;
  /** The epoch whose sessions are good; null for a name that has none. */
  readonly of: (username: string) => number | null;
  /** The hash that the password of a plain entry without an epoch is to have, if it is of the same user as before. */
  readonly hashBefore: (username: string) => string | null;
  /** Ends the sessions of this epoch and of earlier ones, here; `keep` tells the others. */
  readonly end: (username: string, epoch: number) => void;
  /** Whether everything that is known here stands in the Secret, as far as the caches tell. */
  readonly isKept: () => boolean;
  /** Whether the epoch of this one name does. */
  readonly isKeptOf: (username: string) => boolean;
  /** Writes what the Secret does not say yet; ends every session of a name. */
  readonly keep: (ends?: string) => Effect.Effect<void, ReadError | WriteError, Cluster>;
  /** Returns the unsubscriber. */
  readonly onChange: (listener: () => void) => () => void;
  /** Hears every version of both Secrets that the caches tell of, from their first list on. */
  readonly follow: (caches: Caches) => void;
}

/** The users as the rules see them; a plain entry keeps the hash that its name had before. */
function seenIn({ keyDigest, users }: Directory, before: UsersSeen | null): UsersSeen {
  const entries = [...users].map(([name, { epoch, password }]): [string, EntrySeen] => {
    const hash = isHash(password) ? password : (before?.entries.get(name)?.hash ?? null);
    return [name, { epoch, password, hash }];
  });
  return { key: keyDigest, entries: new Map(entries) };
}

const nobodySeen: UsersSeen = { key: '', entries: new Map() };

/** What the Secret of the epochs says, and the newest version of it that the caches have. */
const heldIn = (caches: Caches | null): Epochs => epochsIn(caches?.of(secrets).get(epochSecret));

/** Knows nothing until it follows the caches of an operator. */
export function makeEpochKeeper(now: () => number): EpochKeeper {
  const listeners = new Set<() => void>();
  let caches: Caches | null = null;
  let seen = nobodySeen;
  let epochs = noEpochs;

  /** What another replica has written holds here too; what was seen here is not undone by it. */
  const merge = (others: Epochs) => {
    epochs = followedEpochs(mergedEpochs(epochs, others), seen, seen);
  };
  const see = (users: Directory) => {
    const before = seen;
    seen = seenIn(users, before);
    epochs = followedEpochs(epochs, seen, before);
  };
  /** In the first list both Secrets are as they stand: neither of them came after the other. */
  const begin = (users: Directory, held: Epochs) => {
    seen = seenIn(users, null);
    epochs = followedEpochs(held, seen, null);
  };
  const hear = (of: Caches, { object: { metadata }, initial }: Changed<Secret>) => {
    const isOfUsers = metadata.name === authSecret;
    if (!isOfUsers && metadata.name !== epochSecret) return;
    const users = directoryOf(of.of(secrets).get(authSecret));
    if (initial) begin(users, heldIn(of));
    else if (isOfUsers) see(users);
    else merge(heldIn(of));
    for (const listener of listeners) listener();
  };

  const next = (held: Epochs, ends: string | undefined): Epochs => {
    const known = adoptedEpochs(mergedEpochs(epochs, held), seen, now());
    const ending = ends === undefined ? undefined : known.names.get(ends);
    return ends === undefined || ending === undefined ? known : endedSessions(known, ends, ending.epoch);
  };
  const of = (username: string): number | null => {
    const known = epochs.names.get(username);
    return known === undefined || known.isGone ? null : known.epoch;
  };
  return {
    current: () => epochs,
    of,
    hashBefore: (username) => {
      const entry = seen.entries.get(username);
      return entry === undefined || entry.epoch !== null || of(username) === null ? null : entry.hash;
    },
    end: (username, epoch) => {
      epochs = endedSessions(epochs, username, epoch);
    },
    isKept: () => [...seen.entries.keys()].every((name) => of(name) !== null) && sameEpochs(epochs, heldIn(caches)),
    isKeptOf: (username) => {
      const held = heldIn(caches);
      const [here, kept] = [epochs.names.get(username), held.names.get(username)];
      return held.key === epochs.key && kept?.epoch === here?.epoch && kept?.isGone === here?.isGone;
    },
    keep: (ends) =>
      Effect.suspend(() => {
        if (caches === null) throw new Error('epochs are kept where no caches are followed');
        const kept = changeSecret(caches, epochSecret, (secret) => {
          const held = epochsIn(secret);
          const told = next(held, ends);
          return { keys: sameEpochs(held, told) ? null : epochData(told), told };
        });
        return Effect.map(kept, merge);
      }),
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    follow: (followed) => {
      caches = followed;
      followed.of(secrets).onChange((changed) => hear(followed, changed));
    },
  };
}
