import { Effect } from 'effect';
import { leaseName, type LeaseRecord, leases } from './leaseRecord.ts';
import { monotonicMs } from '../services/monotonic.ts';
import type { ClusterShape, Refused, Unavailable } from '../services/cluster/cluster.ts';

/** The stored lease as one process may judge it. */
export type LeaseView =
  | { readonly is: 'absent' }
  | { readonly is: 'mine' | 'free'; readonly stored: LeaseRecord }
  /** Held by another process, for this long if it is not renewed meanwhile. */
  | { readonly is: 'held'; readonly by: string; readonly forMs: number };

/** A version of the lease, and since when this process has seen no other (ms, by the monotonic clock). */
interface Seen {
  readonly stored: LeaseRecord;
  readonly since: number;
}

/** The lease as it is held by another process; null when that one has given it back, or let it run out. */
export function heldByOther({ stored, since }: Seen, identity: string, now: number): LeaseView | null {
  const { holderIdentity = '', leaseDurationSeconds = 0 } = stored.spec ?? {};
  const forMs = since + leaseDurationSeconds * 1_000 - now;
  return holderIdentity === '' || holderIdentity === identity || forMs <= 0
    ? null
    : { is: 'held', by: holderIdentity, forMs };
}

/**
 * Reads the lease. Times that another process wrote are not trusted: a holder is dead once this process has itself seen
 * the same version of the lease for as long as that holder said it was valid.
 */
export function makeLeaseReader(
  cluster: ClusterShape,
  identity: string,
  name: string = leaseName,
): Effect.Effect<LeaseView, Refused | Unavailable> {
  let last: Seen | null = null;

  return Effect.gen(function* () {
    const stored = yield* cluster.get(leases, { name }).pipe(Effect.catchTag('NotFound', () => Effect.succeed(null)));
    const now = yield* monotonicMs;
    if (stored && stored.metadata.resourceVersion !== last?.stored.metadata.resourceVersion)
      last = { stored, since: now };
    // Applies also where the lease was deleted by hand, because its holder may not have noticed yet.
    const held = last && heldByOther(last, identity, now);
    if (held) return held;
    if (!stored) return { is: 'absent' };
    return { is: stored.spec?.holderIdentity === identity ? 'mine' : 'free', stored };
  });
}
