import type { KubeObject } from '../../crds/kind.ts';
import { isLater } from '../../rules/version.ts';
import { versionOf } from '../cache/indexer.ts';

/** What is remembered of one owned object; all of it can be lost, at the price of one comparison or one apply. */
export interface Kept {
  /** The hash of what was wanted when it was last found or made so, of which object. */
  readonly hash: string;
  readonly uid: string;
  /** Which fields our apply had then. */
  readonly fields: string | undefined;
  /** When applies of this hash changed something, the last three of them. */
  readonly changes: readonly number[];
  /** Who takes it back again and again, and after which of the changes that was found. */
  readonly contested: { readonly by: string; readonly after: number } | null;
  /** An object of somebody else that stands under the name, and until when it is not looked for again. */
  readonly foreign: { readonly says: string; readonly until: number } | null;
  /** What a write returned, until the cache knows of it or that should long have happened. */
  readonly answered: { readonly object: KubeObject; readonly until: number } | null;
  /** The uid of what was told to go. */
  readonly removed: string | null;
}

export const nothingKept: Kept = {
  hash: '',
  uid: '',
  fields: undefined,
  changes: [],
  contested: null,
  foreign: null,
  answered: null,
  removed: null,
};

/** What is remembered of the objects of each owner, by the uid of that life. */
export interface OwnedMemory {
  readonly of: (uid: string) => ReadonlyMap<string, Kept>;
  readonly keep: (uid: string, key: string, kept: Kept) => void;
  /** The cache was told of an object: what a write returned is not believed over it any more. */
  readonly told: (uid: string, key: string) => void;
  /**
   * Believes nothing that was answered longer ago than the cache may take. Whether there was any, and how long (ms) the
   * next is still believed; null for none.
   */
  readonly expire: (uid: string, now: number) => { readonly any: boolean; readonly nextInMs: number | null };
  /** Forgets all but these. */
  readonly retain: (uid: string, keys: (key: string) => boolean) => void;
  /** Forgets owners that are no more, whenever there are many more than the last time. */
  readonly sweep: (living: () => Iterable<string>) => void;
}

const none: ReadonlyMap<string, Kept> = new Map();
const firstSweep = 256;

export function ownedMemory(): OwnedMemory {
  const owners = new Map<string, Map<string, Kept>>();
  let sweepAt = firstSweep;
  return {
    of: (uid) => owners.get(uid) ?? none,
    keep: (uid, key, kept) => {
      const known = owners.get(uid) ?? new Map<string, Kept>();
      known.set(key, kept);
      owners.set(uid, known);
    },
    told: (uid, key) => {
      const known = owners.get(uid);
      const kept = known?.get(key);
      if (kept?.answered) known?.set(key, { ...kept, answered: null });
    },
    expire: (uid, now) => {
      const known = owners.get(uid);
      let any = false;
      let nextInMs: number | null = null;
      for (const [key, kept] of known ?? []) {
        if (!kept.answered) continue;
        const leftMs = kept.answered.until - now;
        if (leftMs > 0) nextInMs = Math.min(nextInMs ?? leftMs, leftMs);
        else known?.set(key, { ...kept, answered: null });
        any ||= leftMs <= 0;
      }
      return { any, nextInMs };
    },
    retain: (uid, keys) => {
      const known = owners.get(uid);
      for (const key of known?.keys() ?? []) if (!keys(key)) known?.delete(key);
      if (known?.size === 0) owners.delete(uid);
    },
    sweep: (living) => {
      if (owners.size < sweepAt) return;
      const uids = new Set(living());
      for (const uid of owners.keys()) if (!uids.has(uid)) owners.delete(uid);
      sweepAt = Math.max(firstSweep, owners.size * 2);
    },
  };
}

/** What stands as far as is known: what was written last, until the cache shows as much. */
export function standing(cached: KubeObject | undefined, kept: Kept | undefined): KubeObject | undefined {
  const answered = kept?.answered?.object;
  if (!answered || (cached && !isLater(versionOf(answered), versionOf(cached)))) return cached;
  return answered;
}
