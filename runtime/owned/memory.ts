import type { KubeObject } from '../../crds/kind.ts';
import { isLater } from '../../rules/version.ts';
import { versionOf } from '../cache/indexer.ts';

/** What is remembered of one owned object; losing it costs one comparison or one apply. */
export interface AppliedRecord {
  /** The hash of the desired object at its last apply or match, and the uid of the live one. */
  readonly hash: string;
  readonly uid: string;
  /** The fingerprint of the fields that our apply owned then. */
  readonly fields: string | undefined;
  /** The last three times an apply of this hash changed something. */
  readonly changes: readonly number[];
  /** The manager that keeps overwriting it, and after which change that was found. */
  readonly overwritten: { readonly by: string; readonly after: number } | null;
  /** When to read again whether the name is still used by an object that is not Core's. */
  readonly unmanaged: { readonly until: number } | null;
  /** The result of a write, until the cache shows it or it expires. */
  readonly answered: { readonly object: KubeObject; readonly until: number } | null;
  /** The uid of the object whose deletion was requested. */
  readonly removed: string | null;
}

export const emptyRecord: AppliedRecord = {
  hash: '',
  uid: '',
  fields: undefined,
  changes: [],
  overwritten: null,
  unmanaged: null,
  answered: null,
  removed: null,
};

/** Applied records by the uid of the owner. */
export interface OwnedMemory {
  readonly of: (uid: string) => ReadonlyMap<string, AppliedRecord>;
  /** A number that changes with every record of an owner. */
  readonly changes: (uid: string) => number;
  readonly remember: (uid: string, key: string, record: AppliedRecord) => void;
  /** The cache received the object, so the result of an earlier write no longer overrides it. */
  readonly received: (uid: string, key: string) => void;
  /**
   * Drops expired write results. Returns whether there were any, and in how many ms the next one expires; null for
   * none.
   */
  readonly expire: (uid: string, now: number) => { readonly any: boolean; readonly nextInMs: number | null };
  /** Drops all other records. */
  readonly retain: (uid: string, keys: (key: string) => boolean) => void;
  /** Drops owners that no longer exist, whenever their number has doubled. */
  readonly sweep: (living: () => Iterable<string>) => void;
}

/** The records of one owner, and when they changed last. */
interface Owner {
  readonly known: Map<string, AppliedRecord>;
  changed: number;
}

const none: ReadonlyMap<string, AppliedRecord> = new Map();
const firstSweep = 256;

export function ownedMemory(): OwnedMemory {
  const owners = new Map<string, Owner>();
  let sweepAt = firstSweep;
  let changes = 0;
  const keep = (owner: Owner | undefined, key: string, record: AppliedRecord) => {
    if (owner === undefined) return;
    owner.known.set(key, record);
    owner.changed = ++changes;
  };
  return {
    of: (uid) => owners.get(uid)?.known ?? none,
    // 0 for an owner without records, before its creation as after its deletion.
    changes: (uid) => owners.get(uid)?.changed ?? 0,
    remember: (uid, key, record) => {
      const owner = owners.get(uid) ?? { known: new Map<string, AppliedRecord>(), changed: 0 };
      if (owner.known.get(key) !== record) keep(owner, key, record);
      owners.set(uid, owner);
    },
    received: (uid, key) => {
      const owner = owners.get(uid);
      const record = owner?.known.get(key);
      if (record?.answered) keep(owner, key, { ...record, answered: null });
    },
    expire: (uid, now) => {
      const owner = owners.get(uid);
      let any = false;
      let nextInMs: number | null = null;
      for (const [key, record] of owner?.known ?? []) {
        if (!record.answered) continue;
        const leftMs = record.answered.until - now;
        if (leftMs > 0) nextInMs = Math.min(nextInMs ?? leftMs, leftMs);
        else keep(owner, key, { ...record, answered: null });
        any ||= leftMs <= 0;
      }
      return { any, nextInMs };
    },
    retain: (uid, keys) => {
      const owner = owners.get(uid);
      if (owner === undefined) return;
      for (const key of owner.known.keys()) if (!keys(key) && owner.known.delete(key)) owner.changed = ++changes;
      if (owner.known.size === 0) owners.delete(uid);
    },
    sweep: (living) => {
      if (owners.size < sweepAt) return;
      const uids = new Set(living());
      for (const uid of owners.keys()) if (!uids.has(uid)) owners.delete(uid);
      sweepAt = Math.max(firstSweep, owners.size * 2);
    },
  };
}

/** The latest known version: the result of the last write until the cache has caught up. */
export function latest(cached: KubeObject | undefined, record: AppliedRecord | undefined): KubeObject | undefined {
  const answered = record?.answered?.object;
  if (!answered || (cached && !isLater(versionOf(answered), versionOf(cached)))) return cached;
  return answered;
}
