import { Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { differences } from '../../rules/owned/differences.ts';
import { appliedHash, type Owner } from '../../rules/owned/ownedObject.ts';
import { versionOf } from '../cache/indexer.ts';
import { monotonicMs } from '../services/monotonic.ts';
import { Cluster, type Conflict, type WriteError } from '../services/cluster/cluster.ts';
import { appliedFields } from '../cache/appliedFields.ts';
import { foreignSays, judge, type Verdict, whyNotOurs } from './judge.ts';
import { managersAt } from './managers.ts';
import { type Kept, nothingKept } from './memory.ts';
import type { Found } from './survey.ts';

/** When this many applies within this time did not hold, only one per this time follows. */
const mostChanges = 3;
const contestedMs = 600_000;
/** A written object is in the cache after this time, or was deleted before it got there. */
const answeredMs = 30_000;
/** An object in the way is not cached, and one that is being deleted may take its time. */
const recheckMs = 60_000;
export const goingMs = 30_000;

/** What was done for one object, what to remember of it, and when to requeue. */
export interface Brought {
  readonly did: boolean;
  readonly kept: Kept;
  readonly requeueAfterMs: number | null;
}

interface At {
  readonly owner: Owner;
  readonly now: number;
}

const holds = (kept: Kept): Brought => ({ did: false, kept, requeueAfterMs: null });
const waits = (kept: Kept, requeueAfterMs: number): Brought => ({ did: false, kept, requeueAfterMs });

/** Brings one wanted object to its wanted state. */
export const bring = Effect.fnUntraced(function* (
  found: Found,
  owner: Owner,
): Effect.fn.Return<Brought, WriteError, Cluster> {
  const now = yield* monotonicMs;
  const given = fresh(found, now);
  return yield* bringOver(given, { owner, now }).pipe(
    // The cached view was old: reads the object and judges once more.
    Effect.catchTag('Conflict', () =>
      Effect.flatMap(standsNow(found), (stands) => bringOver({ ...given, stands }, { owner, now })),
    ),
  );
});

/** Drops what is too old to be remembered. */
function fresh(found: Found, now: number): Found {
  const { cached, kept } = found;
  if (!kept) return found;
  const isAnswer = found.stands !== cached && (kept.answered?.until ?? 0) > now;
  const foreign = kept.foreign && kept.foreign.until > now ? kept.foreign : null;
  return {
    ...found,
    stands: isAnswer ? found.stands : cached,
    kept: { ...kept, foreign, answered: isAnswer ? kept.answered : null },
  };
}

const bringOver = Effect.fnUntraced(function* (found: Found, at: At): Effect.fn.Return<Brought, WriteError, Cluster> {
  const { wanted, stands, kept = nothingKept } = found;
  const verdict = judge(wanted, stands, { kept: found.kept, owner: at.owner });
  switch (verdict.is) {
    case 'foreign':
      return yield* confirmed(found, at);
    case 'going':
      return waits(kept, goingMs);
    case 'current':
      return stands ? settled(remembering(kept, verdict.object, stands), at.now) : holds(kept);
    case 'absent':
    case 'stale':
      return yield* change(found, verdict, at);
  }
});

/** The cache may have missed that an object of somebody else, or of an earlier life, is gone: it is read directly. */
const confirmed = Effect.fnUntraced(function* (found: Found, at: At): Effect.fn.Return<Brought, WriteError, Cluster> {
  const { called, kept = nothingKept } = found;
  if (found.stands === undefined) return waits(kept, recheckMs);
  const stands = yield* standsNow(found);
  if (stands === undefined) return yield* bringOver({ ...found, stands, kept: { ...kept, foreign: null } }, at);
  if (whyNotOurs(called, stands, at.owner) !== null) return waits(kept, recheckMs);
  return yield* bringOver({ ...found, stands, kept: answeredBy(kept, stands, at) }, at);
});

const answeredBy = (kept: Kept, object: KubeObject, { now }: At): Kept => ({
  ...kept,
  answered: { object, until: now + answeredMs },
  removed: null,
});

/** Requeues a contested object for when it has held long enough, and an answered one for when the answer is too old. */
function settled(kept: Kept, now: number): Brought {
  if (!kept.contested) return kept.answered ? waits(kept, kept.answered.until - now) : holds(kept);
  const heldMs = now - (kept.changes.at(-1) ?? now);
  return heldMs < contestedMs ? waits(kept, contestedMs - heldMs) : holds({ ...kept, contested: null, changes: [] });
}

function remembering(kept: Kept, wanted: KubeObject, stands: KubeObject): Kept {
  const hash = appliedHash(wanted);
  const uid = stands.metadata.uid ?? '';
  const fields = appliedFields(stands);
  if (kept.hash === hash && kept.uid === uid && kept.fields === fields) return kept;
  const isSame = kept.hash === hash;
  return { ...kept, hash, uid, fields, ...(isSame ? {} : { changes: [], contested: null }) };
}

type Change = Extract<Verdict, { readonly is: 'absent' | 'stale' }>;

const change = Effect.fnUntraced(function* (
  found: Found,
  verdict: Change,
  at: At,
): Effect.fn.Return<Brought, WriteError, Cluster> {
  const { kept = nothingKept } = found;
  const isAgain = kept.hash === appliedHash(verdict.object);
  const recent = kept.changes.filter((when) => at.now - when < contestedMs);
  const last = kept.changes.at(-1);
  if (isAgain && last !== undefined && (kept.contested || recent.length >= mostChanges)) {
    const heldBackMs = contestedMs - (at.now - last);
    if (heldBackMs > 0) {
      if (kept.contested?.after === last) return waits(kept, heldBackMs);
      const stands = yield* standsNow(found);
      if (stands && isForeign(found, stands, at.owner)) return foreign(found, at.now);
      return waits({ ...kept, contested: { by: contestant(verdict, stands), after: last } }, heldBackMs);
    }
  }
  return yield* write(found, verdict, at);
});

/** Who takes an object back; for a deleted one no manager is known. */
function contestant(verdict: Change, stands: KubeObject | undefined): string {
  if (!stands) return 'somebody who deletes it';
  const isTrim = verdict.is === 'stale' && verdict.by === 'trim';
  return managersAt(stands, isTrim ? differences(stands, verdict.object) : differences(verdict.object, stands));
}

const isForeign = ({ called }: Found, stands: KubeObject, owner: Owner): boolean =>
  whyNotOurs(called, stands, owner) === foreignSays(called);

/** The existing object is not Core's, and no cache reports when it goes. */
function foreign({ called, kept = nothingKept }: Found, now: number): Brought {
  return waits({ ...kept, foreign: { says: foreignSays(called), until: now + recheckMs } }, recheckMs);
}

const standsNow = Effect.fnUntraced(function* ({
  wanted: { resource, object },
}: Found): Effect.fn.Return<KubeObject | undefined, WriteError, Cluster> {
  const cluster = yield* Cluster;
  return yield* cluster
    .get(resource, object.metadata)
    .pipe(Effect.catchTag('NotFound', () => Effect.succeed(undefined)));
});

const write = Effect.fnUntraced(function* (
  found: Found,
  verdict: Change,
  at: At,
): Effect.fn.Return<Brought, WriteError, Cluster> {
  const cluster = yield* Cluster;
  const { wanted, stands, kept = nothingKept } = found;
  const { resource } = wanted;
  if (verdict.is === 'absent') return yield* create(found, verdict.object, at);
  const uid = stands?.metadata.uid ?? '';
  switch (verdict.by) {
    case 'replace':
      yield* cluster.remove(resource, verdict.object.metadata, { uid });
      return { did: true, kept: { ...kept, removed: uid, answered: null }, requeueAfterMs: null };
    case 'trim':
      return written(
        found,
        {
          wanted: verdict.object,
          answer: yield* cluster.patch(resource, verdict.object.metadata, verdict.patch, { uid }),
        },
        at,
      );
    case 'apply':
      return written(
        found,
        { wanted: verdict.object, answer: yield* cluster.apply(resource, verdict.object, { uid }) },
        at,
      );
  }
});

/** Creates, or finds out whose the existing object is: not every object is cached. */
const create = Effect.fnUntraced(function* (
  found: Found,
  object: KubeObject,
  at: At,
): Effect.fn.Return<Brought, WriteError, Cluster> {
  const cluster = yield* Cluster;
  const { wanted, kept = nothingKept } = found;
  const created = yield* cluster
    .apply(wanted.resource, object, 'nothing')
    .pipe(Effect.catchTag('Conflict', (clash: Conflict) => Effect.succeed(clash)));
  if (!('_tag' in created)) return written(found, { wanted: object, answer: created }, at);
  const stands = yield* standsNow(found);
  if (!stands) return yield* created;
  if (isForeign(found, stands, at.owner)) return foreign(found, at.now);
  return yield* bringOver({ ...found, stands, kept: answeredBy(kept, stands, at) }, at);
});

/**
 * The object that a write returned is the current one from now on; a write that changed nothing only settled a doubt.
 */
function written(
  { stands, kept = nothingKept }: Found,
  { wanted, answer }: { readonly wanted: KubeObject; readonly answer: KubeObject },
  { now }: At,
): Brought {
  const did = stands === undefined || versionOf(stands) !== versionOf(answer);
  const hash = appliedHash(wanted);
  const before = kept.hash === hash ? kept.changes : [];
  return {
    did,
    kept: {
      hash,
      uid: answer.metadata.uid ?? '',
      fields: appliedFields(answer),
      changes: did ? [...before, now].slice(-mostChanges) : before,
      contested: kept.hash === hash ? kept.contested : null,
      foreign: null,
      answered: { object: answer, until: now + answeredMs },
      removed: null,
    },
    requeueAfterMs: null,
  };
}
