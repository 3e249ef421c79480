import { Effect, Random } from 'effect';
import { Cluster } from '../services/cluster/cluster.ts';
import { errorMessage } from '../../rules/errorMessage.ts';
import { leaseTimes } from './leaseRecord.ts';
import { makeLeaseWriter, within } from './leaseWriter.ts';

export interface LeaseOptions {
  /** Unique among running processes; a successor that knows its predecessor to be dead may reuse it. */
  readonly identity: string;
  readonly seconds: number;
  /** The base URL of this process's REST API, as other replicas reach it. */
  readonly address?: string;
}

/** The leader election lease: only one of the processes on a cluster runs the passes. */
export interface Lease {
  /** Whether no other process can hold the lease yet, by this process's own monotonic clock. */
  readonly isHeld: Effect.Effect<boolean>;
  /** Runs `term` whenever the lease is held, and interrupts it when the lease is lost, forever. */
  readonly during: <R>(term: Effect.Effect<never, never, R>) => Effect.Effect<never, never, R>;
  /** Releases the lease if this process may hold it; called once `during` has ended. */
  readonly giveBack: Effect.Effect<void>;
}

const triesToGiveBack = 3;
/** How long a stopping process waits for an unreachable API. */
const giveBackWithinMs = 1_000;

/**
 * Why a lease was lost; null while it lasts. `renewed` is the result of the renewal: false when the lease is no longer
 * ours, null when there was no response, for the reason given.
 */
export function whyLost(renewed: boolean | null, leftMs: number, trouble: string): string | null {
  if (renewed === false) return 'another process has it, or nobody';
  return leftMs <= 0 ? `it could not be renewed: ${trouble}` : null;
}

export const makeLease = Effect.fnUntraced(function* (holder: LeaseOptions): Effect.fn.Return<Lease, never, Cluster> {
  const { identity, seconds } = holder;
  const times = leaseTimes(seconds);
  const { renewWithinMs, retryMs } = times;
  const lease = makeLeaseWriter(yield* Cluster, holder, times);
  const pause = Effect.map(Random.next, (share) => Math.round(retryMs * (0.75 + share / 4)));

  let complaint = '';
  const acquire = Effect.gen(function* () {
    for (;;) {
      const heldForMs = yield* lease.take.pipe(
        Effect.catch((failure) =>
          Effect.gen(function* () {
            // A lasting failure, such as a missing permission, is logged once and retried.
            if (
              failure._tag !== 'Conflict' &&
              failure._tag !== 'AlreadyExists' &&
              complaint !== errorMessage(failure)
            ) {
              complaint = errorMessage(failure);
              yield* Effect.logWarning('failed to acquire leader lease').pipe(
                Effect.annotateLogs({ error: complaint }),
              );
            }
            return Number.POSITIVE_INFINITY;
          }),
        ),
      );
      if (heldForMs === null) return;
      yield* Effect.sleep(Math.min(yield* pause, Math.ceil(heldForMs)));
    }
  });

  /** Renews the lease until it is lost; returns why it was lost. */
  const keep = Effect.gen(function* () {
    let trouble = 'this process stood still';
    for (;;) {
      yield* Effect.sleep(Math.min(yield* pause, yield* lease.renewableForMs));
      const renewed = yield* lease.renew(yield* lease.renewableForMs).pipe(
        Effect.catch((failure) =>
          Effect.sync(() => {
            trouble = errorMessage(failure);
            return null;
          }),
        ),
      );
      const lost = whyLost(renewed, yield* lease.renewableForMs, trouble);
      if (lost !== null) return lost;
    }
  });

  return {
    isHeld: lease.isHeld,
    during: (term) =>
      Effect.gen(function* () {
        yield* acquire;
        complaint = '';
        yield* Effect.logInfo('became leader').pipe(Effect.annotateLogs({ identity }));
        const lost = yield* Effect.raceFirst(Effect.tap(keep, lease.lose), term);
        yield* Effect.logWarning('lost leader lease').pipe(Effect.annotateLogs({ identity, error: lost }));
      }).pipe(
        // A defect ends this leadership, not those that follow.
        Effect.catchDefect((defect) =>
          lease.lose.pipe(
            Effect.andThen(Effect.logError('leader loop crashed', defect)),
            Effect.andThen(Effect.sleep(retryMs)),
          ),
        ),
        Effect.forever,
      ),
    giveBack: Effect.andThen(lease.lose, lease.release).pipe(
      (once) =>
        within(Math.min(renewWithinMs / 2, giveBackWithinMs), Effect.retry(once, { times: triesToGiveBack - 1 })),
      Effect.ignore,
    ),
  };
});
