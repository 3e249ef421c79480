import { Effect } from 'effect';
import { leaseName, type LeaseRecord, leases } from './leaseRecord.ts';
import { monotonicMs } from '../services/monotonic.ts';
import type { ClusterShape, Refused, Unavailable } from '../services/cluster/cluster.ts';

/** The stored lease as seen by one process. */
export type LeaseView =
  | { readonly is: 'absent' }
  | { readonly is: 'mine' | 'free'; readonly stored: LeaseRecord }
  /** Held by another process, for this long unless renewed. */
  | { readonly is: 'held'; readonly by: string; readonly forMs: number };

/** A version of the lease, and since when it is the newest one seen (ms, monotonic). */
interface Seen {
  readonly stored: LeaseRecord;
  readonly since: number;
}

/** The lease as it is held by another process; null when it was released or has expired. */
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
    // Also applies when the lease was deleted manually, because its holder may not have noticed yet.
    const held = last && heldByOther(last, identity, now);
    if (held) return held;
    if (!stored) return { is: 'absent' };
    return { is: stored.spec?.holderIdentity === identity ? 'mine' : 'free', stored };
  });
}
