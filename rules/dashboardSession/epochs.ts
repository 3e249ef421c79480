/** The epoch of one user name: sessions of an earlier epoch have ended. */
export interface NameEpoch {
  readonly epoch: number;
  /** Whether its user was removed; the epoch was raised when the removal was observed. */
  readonly isGone: boolean;
}

/** The epochs of every name that ever had a session, stored apart from the users, so that they outlive them. */
export interface Epochs {
  /** The digest of the key that seals sessions; empty when there is none. */
  readonly key: string;
  readonly names: ReadonlyMap<string, NameEpoch>;
}

export const noEpochs: Epochs = { key: '', names: new Map() };

/** The usable entry of a user. */
export interface EntrySeen {
  /** Null for an entry that was written manually. */
  readonly epoch: number | null;
  readonly password: string;
  /** The hash of the password; for a plain-text password the last hash of this name, null when there was none. */
  readonly hash: string | null;
}

/** The users in one version of their Secret. */
export interface UsersSeen {
  readonly key: string;
  readonly entries: ReadonlyMap<string, EntrySeen>;
}

const raised = ({ epoch }: NameEpoch, isGone: boolean): NameEpoch => ({ epoch: epoch + 1, isGone });

/**
 * The record with the higher epoch; at the same epoch the one whose user exists, because it came back after the
 * removal.
 */
const later = (a: NameEpoch, b: NameEpoch | undefined): NameEpoch => {
  if (b === undefined || a.epoch > b.epoch) return a;
  return b.epoch > a.epoch || a.isGone ? b : a;
};

/** The merge keeps the higher epoch of every name; the key is the first record's. */
export function mergedEpochs(a: Epochs, b: Epochs): Epochs {
  const names = new Map(b.names);
  for (const [name, one] of a.names) names.set(name, later(one, b.names.get(name)));
  return { key: a.key, names };
}

/** Ends every session. */
const allRaised = (names: Epochs['names']): Epochs['names'] =>
  new Map([...names].map(([name, one]) => [name, one.isGone ? one : raised(one, false)]));

/**
 * Whether an entry without an epoch belongs to the user who was there before it, which is when the password is the
 * same. A plain-text password is assumed to be the same until it is compared with the hash.
 */
const goesOn = ({ password, hash }: EntrySeen, before: EntrySeen | undefined): boolean =>
  before !== undefined && (password === before.password || (hash !== password && hash !== null));

function followed(known: NameEpoch | undefined, entry: EntrySeen | undefined, before: EntrySeen | undefined) {
  if (entry === undefined) return known?.isGone === false ? raised(known, true) : known;
  if (entry.epoch !== null) return { epoch: Math.max(entry.epoch, known?.epoch ?? 0), isGone: false };
  if (known === undefined || known.isGone || goesOn(entry, before)) return known && { ...known, isGone: false };
  return raised(known, false);
}

/**
 * The epochs after a new version of the users. The epoch of a name never falls: it rises when its user is removed, when
 * another user replaces it, and when the key changes. A name without an epoch gets none here; `adoptedEpochs` assigns
 * it with the write, so that replicas agree.
 */
export function followedEpochs(epochs: Epochs, users: UsersSeen, before: UsersSeen | null): Epochs {
  const { key } = users;
  const known = epochs.key !== '' && epochs.key !== key ? allRaised(epochs.names) : epochs.names;
  const names = new Map<string, NameEpoch>();
  for (const name of new Set([...known.keys(), ...users.entries.keys()])) {
    const one = followed(known.get(name), users.entries.get(name), before?.entries.get(name));
    if (one !== undefined) names.set(name, one);
  }
  return { key, names };
}

/** Assigns names without an epoch one from the time, which exceeds that of any forgotten user of the name. */
export const adoptedEpochs = (epochs: Epochs, { entries }: UsersSeen, now: number): Epochs => ({
  ...epochs,
  names: new Map([
    ...[...entries.keys()].map((name): [string, NameEpoch] => [name, { epoch: now, isGone: false }]),
    ...epochs.names,
  ]),
});

/** Ends every session of a name with this epoch or an earlier one. */
export function endedSessions(epochs: Epochs, name: string, epoch: number): Epochs {
  const known = epochs.names.get(name);
  if (known === undefined || known.epoch > epoch) return epochs;
  return { ...epochs, names: new Map(epochs.names).set(name, { ...known, epoch: epoch + 1 }) };
}

export const sameEpochs = (a: Epochs, b: Epochs): boolean =>
  a.key === b.key &&
  a.names.size === b.names.size &&
  [...a.names].every(([name, { epoch, isGone }]) => {
    const other = b.names.get(name);
    return other?.epoch === epoch && other.isGone === isGone;
  });
