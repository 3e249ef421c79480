import { Clock, Effect } from 'effect';
import { asSeen, Unavailable, type ClusterShape, type WriteError } from '../services/cluster/cluster.ts';
import { monotonicMs } from '../services/monotonic.ts';
import {
  firstLease,
  type LeaseHolder,
  leaseName,
  type LeaseRecord,
  leases,
  type LeaseTimes,
  releasedLease,
  takenLease,
} from './leaseRecord.ts';
import { makeLeaseReader } from './leaseView.ts';

/** Takes, renews and releases the lease for one process, and tracks until when it is held. */
export interface LeaseWriter {
  /** Whether no other process can hold the lease yet, by this process's own monotonic clock. */
  readonly isHeld: Effect.Effect<boolean>;
  /** For how long (ms) it may still be renewed. */
  readonly renewableForMs: Effect.Effect<number>;
  /** Returns null when it is ours, else for how long (ms) another process holds it. */
  readonly take: Effect.Effect<number | null, WriteError>;
  /** Renews once, within a time; false when the lease is no longer ours. */
  readonly renew: (withinMs: number) => Effect.Effect<boolean, WriteError>;
  /** Marks the lease as no longer held. */
  readonly lose: Effect.Effect<void>;
  /** Releases the stored lease if this process may hold it. */
  readonly release: Effect.Effect<void, WriteError>;
}

const never = Number.NEGATIVE_INFINITY;

/** Fails with Unavailable when the work takes longer. */
export const within = <A, E>(ms: number, work: Effect.Effect<A, E>): Effect.Effect<A, E | Unavailable> =>
  Effect.timeoutOrElse(work, {
    duration: ms,
    orElse: () => Effect.fail(new Unavailable({ message: 'no answer in time' })),
  });

/** Measures a lease from when its write is sent; other processes measure from when they see it, which is later. */
export const timed = Effect.fnUntraced(function* (
  send: Effect.Effect<LeaseRecord, WriteError>,
): Effect.fn.Return<{ readonly stored: LeaseRecord; readonly sentAt: number }, WriteError> {
  const sentAt = yield* monotonicMs;
  return { stored: yield* send, sentAt };
});

export function makeLeaseWriter(
  cluster: ClusterShape,
  holder: Omit<LeaseHolder, 'now'>,
  { leaseMs, renewWithinMs }: LeaseTimes,
): LeaseWriter {
  const leaseNow = makeLeaseReader(cluster, holder.identity);
  /** The version that our last write returned; null when the stored one must be read first. */
  let known: LeaseRecord | null = null;
  let renewedAt = never;
  let everWrote = false;

  const holding: Effect.Effect<LeaseHolder> = Effect.map(Clock.currentTimeMillis, (now) => ({ ...holder, now }));
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

  const renew = Effect.gen(function* () {
    if (known !== null) return yield* Effect.as(put(known), true);
    const leaseView = yield* leaseNow;
    if (leaseView.is !== 'mine') return false;
    return yield* Effect.as(put(leaseView.stored), true);
  });

  const lose = Effect.sync(() => void (renewedAt = never));
  return {
    isHeld: Effect.map(monotonicMs, (now) => now < renewedAt + leaseMs),
    renewableForMs: Effect.map(monotonicMs, (now) => renewedAt + renewWithinMs - now),
    // A late response counts as none, so that the fallback still runs in time.
    take: within(
      renewWithinMs / 2,
      Effect.gen(function* () {
        const leaseView = yield* leaseNow;
        if (leaseView.is === 'held') return leaseView.forMs;
        yield* leaseView.is === 'absent' ? create : put(leaseView.stored);
        return null;
      }),
    ),
    renew: (withinMs) => within(Math.max(Math.min(renewWithinMs / 2, withinMs), 1), renew),
    lose,
    release: Effect.gen(function* () {
      const leaseView = everWrote ? yield* leaseNow : null;
      if (leaseView?.is !== 'mine') return;
      const now = yield* Clock.currentTimeMillis;
      yield* cluster.patch(leases, { name: leaseName }, releasedLease(now), asSeen(leaseView.stored));
    }),
  };
}
