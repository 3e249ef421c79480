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
import type { Changed } from '../../runtime/cache/indexer.ts';
import type { Caches } from '../../runtime/cache/caches.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { changeSecret } from '../../runtime/cache/secret.ts';
import { secretText } from '../../runtime/services/secretText.ts';
import type { Cluster, ReadError, WriteError } from '../../runtime/services/cluster/cluster.ts';
import { authSecret, type Directory, directoryOf, encode } from './directory.ts';
import { fieldsIn, isEpoch } from './entry.ts';
import { isHash } from './hasher.ts';

/**
 * The Secret in core-system that holds the epochs: separate from the users, so that writers of users cannot set one
 * back.
 */
export const epochSecret = 'core-dashboard-epochs';
const epochsKey = 'epochs';

/** Parses the Secret; a malformed epoch counts as absent. */
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

/** Decides which sessions are valid: an ended session stays ended, whatever is written into the users' Secret. */
export interface EpochKeeper {
  /** The epochs of all names; a new object whenever one of them changes. */
  readonly current: () => Epochs;
  /** The epoch whose sessions are valid; null for a name that has none. */
  readonly of: (username: string) => number | null;
  /**
   * The hash that the password of a plain entry without an epoch must match for its user to be the one from before;
   * null where there is none.
   */
  readonly hashBefore: (username: string) => string | null;
  /**
   * Ends the sessions of this and earlier epochs in this process; `keep` writes that for the other replicas. The user
   * from before is forgotten, so that a pass over a version that is no longer the newest does not end them once more.
   */
  readonly end: (username: string, epoch: number) => void;
  /** Whether the Secret, as the caches hold it, has every epoch known here. */
  readonly isKept: () => boolean;
  /** The same for the epoch of one name. */
  readonly isKeptOf: (username: string) => boolean;
  /** Writes the epochs that the Secret lacks; with `ends` it also ends every session of that name. */
  readonly keep: (ends?: string) => Effect.Effect<void, ReadError | WriteError, Cluster>;
  /** Returns the function that unsubscribes. */
  readonly onChange: (listener: () => void) => () => void;
  /** Follows every version of both Secrets in the caches, from their first list on. */
  readonly follow: (caches: Caches) => void;
}

/** The users as the rules take them; a plain entry keeps the hash that its name had before. */
function seenIn({ keyDigest, users }: Directory, before: UsersSeen | null): UsersSeen {
  const entries = [...users].map(([name, { epoch, password }]): [string, EntrySeen] => {
    const hash = isHash(password) ? password : (before?.entries.get(name)?.hash ?? null);
    return [name, { epoch, password, hash }];
  });
  return { key: keyDigest, entries: new Map(entries) };
}

/** A plain entry that has turned out to be of another user than before. */
function withoutHash({ key, entries }: UsersSeen, name: string): UsersSeen {
  const entry = entries.get(name);
  if (entry === undefined || entry.epoch !== null || isHash(entry.password)) return { key, entries };
  return { key, entries: new Map(entries).set(name, { ...entry, hash: null }) };
}

const nobodySeen: UsersSeen = { key: '', entries: new Map() };

/** The epochs in the newest cached version of their Secret. */
const heldIn = (caches: Caches | null): Epochs => epochsIn(caches?.of(secrets).get(epochSecret));

/** Has no epochs until it follows the caches of an operator. */
export function makeEpochKeeper(now: () => number): EpochKeeper {
  const listeners = new Set<() => void>();
  let caches: Caches | null = null;
  let seen = nobodySeen;
  let epochs = noEpochs;

  /** Adds what another replica wrote, without undoing what was observed here. */
  const merge = (others: Epochs) => {
    epochs = followedEpochs(mergedEpochs(epochs, others), seen, seen);
  };
  const see = (users: Directory) => {
    const before = seen;
    seen = seenIn(users, before);
    epochs = followedEpochs(epochs, seen, before);
  };
  /** The first list gives both Secrets at once: neither of them is the later one. */
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
      seen = withoutHash(seen, username);
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
          const changed = next(held, ends);
          return { keys: sameEpochs(held, changed) ? null : epochData(changed), result: changed };
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
