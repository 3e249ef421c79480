/** The epoch of one name: sessions of an earlier one are over. */
export interface NameEpoch {
  readonly epoch: number;
  /** Whether its user is gone; the epoch was raised when that was seen. */
  readonly isGone: boolean;
}

/** What is kept of every name that ever had a session, beside the users, so that it outlives them. */
export interface Epochs {
  /** The digest of the key that sessions are sealed with; empty where there is none. */
  readonly key: string;
  readonly names: ReadonlyMap<string, NameEpoch>;
}

export const noEpochs: Epochs = { key: '', names: new Map() };

/** The entry of a user that can be used. */
export interface EntrySeen {
  /** Null for an entry that somebody wrote by hand. */
  readonly epoch: number | null;
  readonly password: string;
  /** The hash of the password; of a plain one the last hash of this name, null where none was seen. */
  readonly hash: string | null;
}

/** The users as one version of their Secret has them. */
export interface UsersSeen {
  readonly key: string;
  readonly entries: ReadonlyMap<string, EntrySeen>;
}

const raised = ({ epoch }: NameEpoch, isGone: boolean): NameEpoch => ({ epoch: epoch + 1, isGone });

/** Of two records of a name the higher epoch; of the same epoch its user came back after it was gone. */
const later = (a: NameEpoch, b: NameEpoch | undefined): NameEpoch => {
  if (b === undefined || a.epoch > b.epoch) return a;
  return b.epoch > a.epoch || a.isGone ? b : a;
};

/** No epoch of either is lost; the key is the first one's. */
export function mergedEpochs(a: Epochs, b: Epochs): Epochs {
  const names = new Map(b.names);
  for (const [name, one] of a.names) names.set(name, later(one, b.names.get(name)));
  return { key: a.key, names };
}

/** Every session there is, is over. */
const allRaised = (names: Epochs['names']): Epochs['names'] =>
  new Map([...names].map(([name, one]) => [name, one.isGone ? one : raised(one, false)]));

/**
 * Whether an entry without an epoch is of the user who was there before it: its password is the same. Of a plain one
 * that is known once it was held against the hash, and assumed until then.
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
 * The epochs after a version of the users was seen. The epoch of a name never falls: it rises when its user is gone, when
 * somebody else was written in its place, and when the key is another. A user whose name has none yet gets none here:
 * `adopted` does that where it is written, so that replicas agree.
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

/** Names that have no epoch yet get one of the time: whoever had a name that was forgotten had an earlier one. */
export const adoptedEpochs = (epochs: Epochs, { entries }: UsersSeen, now: number): Epochs => ({
  ...epochs,
  names: new Map([
    ...[...entries.keys()].map((name): [string, NameEpoch] => [name, { epoch: now, isGone: false }]),
    ...epochs.names,
  ]),
});

/** Every session of a name that has this epoch or an earlier one is over. */
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
