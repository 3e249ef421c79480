import { Effect } from 'effect';
import { leaseName, type LeaseRecord, leases } from './leaseRecord.ts';
import { monotonicMs } from '../services/monotonic.ts';
import type { ClusterShape, Refused, Away } from '../services/cluster.ts';

/** The stored lease as one process may judge it. */
export type LeaseView =
  | { readonly is: 'absent' }
  | { readonly is: 'mine' | 'free'; readonly stored: LeaseRecord }
  /** Held by another process, for this long if it is not renewed meanwhile. */
  | { readonly is: 'held'; readonly by: string; readonly forMs: number };

/**
 * Reads the lease. Times that another process wrote are not trusted: a holder is dead once this process has itself seen
 * the same version of the lease for as long as that holder said it was valid.
 */
export function makeLeaseReader(cluster: ClusterShape, identity: string): Effect.Effect<LeaseView, Refused | Away> {
  let last: { readonly stored: LeaseRecord; readonly since: number } | null = null;

  const heldByOther = (now: number): LeaseView | null => {
    if (last === null) return null;
    const { holderIdentity = '', leaseDurationSeconds = 0 } = last.stored.spec ?? {};
    const forMs = last.since + leaseDurationSeconds * 1_000 - now;
    return holderIdentity === '' || holderIdentity === identity || forMs <= 0
      ? null
      : { is: 'held', by: holderIdentity, forMs };
  };

  return Effect.gen(function* () {
    const stored = yield* cluster
      .get(leases, { name: leaseName })
      .pipe(Effect.catchTag('NotFound', () => Effect.succeed(null)));
    const now = yield* monotonicMs;
    if (stored && stored.metadata.resourceVersion !== last?.stored.metadata.resourceVersion)
      last = { stored, since: now };
    // Applies also where the lease was deleted by hand, because its holder may not have noticed yet.
    const held = heldByOther(now);
    if (held) return held;
    if (!stored) return { is: 'absent' };
    return { is: stored.spec?.holderIdentity === identity ? 'mine' : 'free', stored };
  });
}
