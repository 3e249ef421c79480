import { Clock, Effect, Semaphore } from 'effect';
import { eachOf } from '../../contract/eachOf.ts';
import { hashOf } from '../../../rules/canonical.ts';
import { type StorageFailure, stateOfFailure, type StorageState } from '../../../rules/backupStorage/state.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { Cloud, type CloudFailed, isRefusal } from '../../services/cloud.ts';
import type { Cluster, WriteError } from '../../services/cluster/cluster.ts';
import { monotonicMs } from '../../services/monotonic.ts';
import { reconcileGrant, type Grant, type GrantRequest, keySettlesMs, currentGrant, tryGrant } from './grant.ts';

/** Buckets with their own users and Secrets, and what this process knows about them. */
export interface GrantedBuckets {
  /**
   * Creates what is missing of a bucket, its user and its Secret. Existing ones cost two requests in ten minutes,
   * unless `repair` says that the bucket or its key did not work.
   */
  readonly reconcile: (
    asked: GrantRequest,
    reader: CacheReader,
    repair?: boolean,
  ) => Effect.Effect<StorageState, WriteError, Cloud | Cluster>;
}

/** The memory about buckets between passes. */
interface Memory {
  /** The account and key that last opened it, as a hash, and when (ms since the epoch). */
  readonly opens: Map<string, { readonly by: string; readonly at: number }>;
  /** When transient failures of its requests began, by the monotonic clock (ms). */
  readonly since: Map<string, number>;
  /**
   * A lock per bucket: of two concurrent key creations, one would delete the other's key before its Secret is written.
   */
  readonly turns: Map<string, Semaphore.Semaphore>;
}

export function grantedBuckets(): GrantedBuckets {
  const memory: Memory = { opens: new Map(), since: new Map(), turns: new Map() };
  return {
    reconcile: (asked, reader, repair = false) =>
      granted(asked, { reader, repair, memory }).pipe(
        Effect.catchTag('CloudFailed', (failure) => failedState(asked, failureOf(failure), memory)),
        (granting) => turnOf(asked, memory).withPermit(granting),
      ),
  };
}

function turnOf({ bucket }: GrantRequest, { turns }: Memory): Semaphore.Semaphore {
  const turn = turns.get(bucket) ?? Semaphore.makeUnsafe(1);
  turns.set(bucket, turn);
  return turn;
}

/** How long a successful check of a bucket is valid. */
export const checkEveryMs = 10 * 60_000;

interface GrantInput {
  readonly reader: CacheReader;
  readonly repair: boolean;
  readonly memory: Memory;
}

const failing = (error: string): StorageState => ({ is: 'failing', error });
const failureOf = (failure: CloudFailed): StorageFailure => ({ isRefusal: isRefusal(failure), why: failure.message });

const keyOf = ({ project, connection, bucket }: GrantRequest): string => JSON.stringify([project, connection, bucket]);

const failedState = (asked: GrantRequest, failure: StorageFailure, { since }: Memory) =>
  Effect.map(monotonicMs, (now): StorageState => {
    const began = since.get(keyOf(asked)) ?? now;
    since.set(keyOf(asked), began);
    return stateOfFailure(failure, began, now);
  });

const granted = Effect.fnUntraced(function* (
  asked: GrantRequest,
  { reader, repair, memory }: GrantInput,
): Effect.fn.Return<StorageState, CloudFailed | WriteError, Cloud | Cluster> {
  const standing = repair ? null : currentGrant(asked, reader);
  const grant = standing ?? (yield* reconcileGrant(asked, repair));
  if (grant.is === 'taken') return failing(grant.why);
  const works = yield* opened(asked, grant, memory);
  if (works) {
    memory.since.delete(keyOf(asked));
    return { is: 'working', region: grant.region, secret: asked.secret };
  }
  return { is: 'waiting', why: 'the cloud does not know the new key yet' };
});

/** The refusal of a grant's key; null when it opens the bucket. */
const refusalOf = (asked: GrantRequest, grant: Grant) =>
  tryGrant(asked, grant).pipe(
    Effect.as(null),
    Effect.catchIf(isRefusal, (failure) => Effect.succeed(failure)),
  );

/** A process that was paused may have issued a key after another one took over; no Secret holds it. */
const removeStrays = Effect.fnUntraced(function* ({ account, user }: GrantRequest, { key }: Grant) {
  if (account.iam === null) return;
  const cloud = yield* Cloud;
  const ids = (yield* cloud.accessKeys(account, user)) ?? [];
  const strays = ids.filter((one) => one !== key.accessKeyId);
  yield* eachOf(strays, (id) => cloud.removeKey(account, user, id));
});

/** A key issued in the future is from before the clock was set back. */
const isNew = ({ issuedAt }: Grant, now: number): boolean => now >= issuedAt && now - issuedAt < keySettlesMs;

/**
 * Checks periodically whether the key opens the bucket. A missing bucket is recreated, and a refused key that is no
 * longer new is replaced.
 */
const opened = Effect.fnUntraced(function* (
  asked: GrantRequest,
  grant: Grant,
  { opens }: Memory,
): Effect.fn.Return<boolean, CloudFailed | WriteError, Cloud | Cluster> {
  const now = yield* Clock.currentTimeMillis;
  const known = opens.get(keyOf(asked));
  const isFresh = known !== undefined && now >= known.at && now < known.at + checkEveryMs;
  const by = hashOf([asked.account, grant.key.accessKeyId]);
  if (isFresh && known.by === by) return true;
  const refusal = yield* refusalOf(asked, grant);
  if (refusal !== null) {
    if (refusal.status === 403 && isNew(grant, now)) return false;
    const again = yield* reconcileGrant(asked, true);
    if (again.is === 'taken') return yield* refusal;
    if (again.key.accessKeyId !== grant.key.accessKeyId) return false;
    const still = yield* refusalOf(asked, again);
    if (still !== null) return yield* still;
  }
  yield* removeStrays(asked, grant);
  opens.set(keyOf(asked), { by, at: now });
  return true;
});
