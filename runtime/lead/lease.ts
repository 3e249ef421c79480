import { Clock, Effect, Random } from 'effect';
import {
  firstLease,
  releasedLease,
  type Holding,
  leaseName,
  type LeaseRecord,
  leases,
  leaseTimes,
  takenLease,
} from './leaseRecord.ts';
import { makeLeaseReader } from './leaseView.ts';
import { monotonicMs } from '../services/monotonic.ts';
import { asSeen, Unavailable, Cluster, type WriteError } from '../services/cluster/cluster.ts';
import { errorMessage } from '../../rules/errorMessage.ts';

export interface LeaseOptions {
  /** Unique among living processes; a successor that knows its predecessor to be dead may reuse it. */
  readonly identity: string;
  readonly seconds: number;
  /** The base URL of this process's REST API, as other replicas reach it. */
  readonly address?: string;
}

/** The leader's lease: of all processes over one cluster, one at a time runs the passes. */
export interface Lease {
  /** Whether no other process can hold it yet, by this process's own monotonic clock. */
  readonly isHeld: Effect.Effect<boolean>;
  /** Runs `term` whenever the lease is held, and interrupts it when the lease is lost, forever. */
  readonly during: <R>(term: Effect.Effect<never, never, R>) => Effect.Effect<never, never, R>;
  /** Releases the lease if this process may hold it; called once `during` has ended. */
  readonly giveBack: Effect.Effect<void>;
}

const never = Number.NEGATIVE_INFINITY;
const triesToGiveBack = 3;
/** A stopping process does not wait for an API that is gone. */
const giveBackWithinMs = 1_000;

/** A lease counts from when its write is sent: other processes count from when they see it, which is later. */
export const timed = Effect.fnUntraced(function* (
  send: Effect.Effect<LeaseRecord, WriteError>,
): Effect.fn.Return<{ readonly stored: LeaseRecord; readonly sentAt: number }, WriteError> {
  const sentAt = yield* monotonicMs;
  return { stored: yield* send, sentAt };
});

/**
 * How a lease was lost, in words; null while it lasts. `kept` is what its renewal found: false where it is no longer
 * ours, null where there was no answer for the reason given.
 */
export function whyLost(kept: boolean | null, leftMs: number, trouble: string): string | null {
  if (kept === false) return 'another process has it, or nobody';
  return leftMs <= 0 ? `it could not be renewed: ${trouble}` : null;
}

export const makeLease = Effect.fnUntraced(function* ({
  identity,
  seconds,
  ...reach
}: LeaseOptions): Effect.fn.Return<Lease, never, Cluster> {
  const cluster = yield* Cluster;
  const { leaseMs, renewWithinMs, retryMs } = leaseTimes(seconds);
  const leaseNow = makeLeaseReader(cluster, identity);
  /** The version that our last write returned; null when the stored one must be read first. */
  let known: LeaseRecord | null = null;
  let renewedAt = never;
  let everWrote = false;

  const isHeld = Effect.map(monotonicMs, (now) => now < renewedAt + leaseMs);
  const holding: Effect.Effect<Holding> = Effect.map(Clock.currentTimeMillis, (now) => ({
    identity,
    seconds,
    now,
    ...reach,
  }));
  const pause = Effect.map(Random.next, (share) => Math.round(retryMs * (0.75 + share / 4)));

  const write = Effect.fnUntraced(function* (send: Effect.Effect<LeaseRecord, WriteError>) {
    everWrote = true;
    known = null;
    const { stored, sentAt } = yield* timed(send);
    known = stored;
    renewedAt = sentAt;
  });
  const put = Effect.fnUntraced(function* (stored: LeaseRecord) {
    const patch = takenLease(stored, yield* holding);
    yield* write(cluster.patch(leases, { name: leaseName }, patch, asSeen(stored)));
  });
  const create = Effect.flatMap(holding, (by) => write(cluster.create(leases, firstLease(by))));

  /** A late response counts as none, so that what waits for it still comes in time. */
  const answerMs = renewWithinMs / 2;
  const within = <A, E>(ms: number, work: Effect.Effect<A, E>) =>
    Effect.timeoutOrElse(work, {
      duration: ms,
      orElse: () => Effect.fail(new Unavailable({ message: 'no answer in time' })),
    });

  /** Tries to take the lease; returns in how many ms to try again, null when it is ours. */
  const take = within(
    answerMs,
    Effect.gen(function* () {
      const leaseView = yield* leaseNow;
      if (leaseView.is === 'held') return Math.min(yield* pause, Math.ceil(leaseView.forMs));
      yield* leaseView.is === 'absent' ? create : put(leaseView.stored);
      return null;
    }),
  );
  let complaint = '';
  const acquire = Effect.gen(function* () {
    for (;;) {
      const waitMs = yield* take.pipe(
        Effect.catch((failure) =>
          Effect.gen(function* () {
            // A lasting failure, such as a missing permission, is logged once and retried.
            if (
              failure._tag !== 'Conflict' &&
              failure._tag !== 'AlreadyExists' &&
              complaint !== errorMessage(failure)
            ) {
              complaint = errorMessage(failure);
              yield* Effect.logWarning('failed to acquire leader lease').pipe(Effect.annotateLogs({ why: complaint }));
            }
            return yield* pause;
          }),
        ),
      );
      if (waitMs === null) return;
      yield* Effect.sleep(waitMs);
    }
  });

  /** Renews once; false when the lease is no longer ours. */
  const renew = Effect.gen(function* () {
    if (known !== null) return yield* Effect.as(put(known), true);
    const leaseView = yield* leaseNow;
    if (leaseView.is !== 'mine') return false;
    return yield* Effect.as(put(leaseView.stored), true);
  });
  /** Renews the lease until it is lost; returns how it was lost, in words. */
  const keep = Effect.gen(function* () {
    let trouble = 'this process stood still';
    const leftMs = Effect.map(monotonicMs, (now) => renewedAt + renewWithinMs - now);
    for (;;) {
      yield* Effect.sleep(Math.min(yield* pause, yield* leftMs));
      const kept = yield* within(Math.max(Math.min(answerMs, yield* leftMs), 1), renew).pipe(
        Effect.catch((failure) =>
          Effect.sync(() => {
            trouble = errorMessage(failure);
            return null;
          }),
        ),
      );
      const lost = whyLost(kept, yield* leftMs, trouble);
      if (lost !== null) return lost;
    }
  });

  const lose = Effect.sync(() => void (renewedAt = never));

  return {
    isHeld,
    during: (term) =>
      Effect.gen(function* () {
        yield* acquire;
        complaint = '';
        yield* Effect.logInfo('became leader').pipe(Effect.annotateLogs({ identity }));
        const lost = yield* Effect.raceFirst(Effect.tap(keep, lose), term);
        yield* Effect.logWarning('lost leader lease').pipe(Effect.annotateLogs({ identity, why: lost }));
      }).pipe(
        // A defect costs this leadership, not those that follow.
        Effect.catchDefect((defect) =>
          lose.pipe(
            Effect.andThen(Effect.logError('leader loop crashed', defect)),
            Effect.andThen(Effect.sleep(retryMs)),
          ),
        ),
        Effect.forever,
      ),
    giveBack: Effect.gen(function* () {
      yield* lose;
      const leaseView = everWrote ? yield* leaseNow : null;
      if (leaseView?.is !== 'mine') return;
      const now = yield* Clock.currentTimeMillis;
      yield* cluster.patch(leases, { name: leaseName }, releasedLease(now), asSeen(leaseView.stored));
    }).pipe(
      (once) => within(Math.min(answerMs, giveBackWithinMs), Effect.retry(once, { times: triesToGiveBack - 1 })),
      Effect.ignore,
    ),
  };
});
