import { Effect } from 'effect';
import { type LeaseView, makeLeaseReader } from '../../lead/leaseView.ts';
import { leases } from '../../lead/leaseRecord.ts';
import { asSeen, type Unavailable, Cluster, type Refused } from '../../services/cluster/cluster.ts';

/** A terminal's holder as recorded in its session: the Lease of the process, and the number of the terminal. */
export const holderOf = (lease: string, terminal: number): string => `${lease}/${terminal}`;
const leaseOf = (holder: string): string => holder.slice(0, Math.max(0, holder.lastIndexOf('/')));

/** The processes that hold terminals, as seen by this one. */
export interface Holders {
  /** The Lease of this process. */
  readonly lease: string;
  readonly leaseSeconds: number;
  /** The terminals of this process, from before they are recorded until their end is. */
  readonly own: Set<string>;
  readonly judge: (holder: string) => Effect.Effect<'alive' | 'dead', Refused | Unavailable, Cluster>;
}

export interface HolderOptions {
  /** Unique among running processes, and a valid object name. */
  readonly lease: string;
  readonly leaseSeconds: number;
}

/**
 * Creates the check of holders. A holder is dead once its Lease is deleted or has expired by this process's own clock.
 * An expired Lease is deleted in the version seen: if that fails, its process lives; if not, that process notices.
 */
export function makeHolders({ lease, leaseSeconds }: HolderOptions): Holders {
  const own = new Set<string>();
  const readers = new Map<string, Effect.Effect<LeaseView, Refused | Unavailable>>();

  const readerOf = Effect.fnUntraced(function* (name: string) {
    const known = readers.get(name);
    if (known) return known;
    const made = makeLeaseReader(yield* Cluster, lease, name);
    readers.set(name, made);
    return made;
  });

  const leaseState = Effect.fnUntraced(function* (
    name: string,
  ): Effect.fn.Return<'alive' | 'dead', Refused | Unavailable, Cluster> {
    const cluster = yield* Cluster;
    const view = yield* yield* readerOf(name);
    if (view.is === 'held') return 'alive';
    const isRemoved =
      view.is === 'absent' ||
      (yield* cluster.remove(leases, { name }, asSeen(view.stored)).pipe(
        Effect.as(true),
        Effect.catchTag('Conflict', () => Effect.succeed(false)),
      ));
    if (!isRemoved) return 'alive';
    readers.delete(name);
    return 'dead';
  });

  return {
    lease,
    leaseSeconds,
    own,
    judge: (holder) => {
      const name = leaseOf(holder);
      if (name === lease) return Effect.succeed(own.has(holder) ? 'alive' : 'dead');
      // Any other text names no Lease, so no living process.
      return /^[a-z0-9]([-a-z0-9]{0,250}[a-z0-9])?$/.test(name) ? leaseState(name) : Effect.succeed('dead');
    },
  };
}

/** For a process that opens no terminals. */
export const noTerminals = (): Holders => makeHolders({ lease: 'core-terminals', leaseSeconds: 15 });
