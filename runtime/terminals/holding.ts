import { Clock, Effect, Latch, Random, Semaphore } from 'effect';
import { whyLost } from '../lead/lease.ts';
import { timed } from '../lead/leaseWriter.ts';
import { firstLease, type LeaseRecord, leases, leaseTimes, takenLease } from '../lead/leaseRecord.ts';
import { asSeen, Cluster, type WriteError } from '../services/cluster/cluster.ts';
import { monotonicMs } from '../services/monotonic.ts';
import { errorMessage } from '../../rules/errorMessage.ts';
import type { Holders } from '../controllers/consoleSession/observe.ts';

/** The Lease that shows other processes that this one and its terminals are alive. */
export interface SessionLease {
  /** Counts a terminal; the Lease exists before the first one is recorded. */
  readonly take: (holder: string) => Effect.Effect<void, WriteError, Cluster>;
  /** Uncounts a terminal; the Lease is deleted with the last one. */
  readonly letGo: (holder: string) => Effect.Effect<void, never, Cluster>;
  /** Renews the Lease while there are terminals, forever. */
  readonly keep: Effect.Effect<never, never, Cluster>;
}

/** Creates the Lease holder. `lost` is called when others may consider this process dead: its terminals must end. */
export function makeSessionLease(
  { lease: name, leaseSeconds: seconds, own }: Holders,
  lost: (why: string) => void,
): SessionLease {
  const { renewWithinMs, retryMs } = leaseTimes(seconds);
  const turn = Semaphore.makeUnsafe(1);
  const isNeeded = Latch.makeUnsafe(false);
  let known: LeaseRecord | null = null;
  let renewedAt = Number.NEGATIVE_INFINITY;
  let trouble = '';

  const holding = Effect.map(Clock.currentTimeMillis, (now) => ({ identity: name, seconds, now }));
  const write = Effect.fnUntraced(function* (send: Effect.Effect<LeaseRecord, WriteError>) {
    const { stored, sentAt } = yield* timed(send);
    known = stored;
    renewedAt = sentAt;
  });
  const put = Effect.fnUntraced(function* (stored: LeaseRecord) {
    const cluster = yield* Cluster;
    yield* write(cluster.patch(leases, { name }, takenLease(stored, yield* holding), asSeen(stored)));
  });
  /** A Lease of our name is our own, whose response was lost. */
  const begin = Effect.gen(function* () {
    const cluster = yield* Cluster;
    yield* write(cluster.create(leases, firstLease(yield* holding, name))).pipe(
      Effect.catchTag('AlreadyExists', () => Effect.flatMap(cluster.get(leases, { name }), put)),
    );
    isNeeded.openUnsafe();
  });

  const lose = (reason: string) => {
    known = null;
    isNeeded.closeUnsafe();
    lost(reason);
  };
  const renew = Effect.gen(function* () {
    if (known === null) return;
    const kept = yield* put(known).pipe(
      Effect.as(true),
      Effect.catch((failure) =>
        Effect.sync(() => {
          trouble = errorMessage(failure);
          return failure._tag === 'Conflict' || failure._tag === 'NotFound' ? false : null;
        }),
      ),
    );
    const reason = whyLost(kept, renewedAt + renewWithinMs - (yield* monotonicMs), trouble);
    if (reason !== null) lose(reason);
  });

  return {
    take: (holder) =>
      Effect.suspend(() => {
        own.add(holder);
        return turn.withPermit(Effect.suspend(() => (known === null ? begin : Effect.void)));
      }),
    letGo: (holder) => {
      const end = Effect.gen(function* () {
        own.delete(holder);
        if (own.size > 0 || known === null) return;
        const cluster = yield* Cluster;
        const { uid } = known.metadata;
        known = null;
        isNeeded.closeUnsafe();
        // On failure it expires.
        yield* Effect.ignore(cluster.remove(leases, { name }, uid === undefined ? {} : { uid }));
      });
      return turn.withPermit(end);
    },
    keep: Effect.gen(function* () {
      yield* isNeeded.await;
      yield* Effect.sleep(Math.round(retryMs * (0.75 + (yield* Random.next) / 4)));
      yield* turn.withPermit(renew);
    }).pipe(Effect.forever),
  };
}
