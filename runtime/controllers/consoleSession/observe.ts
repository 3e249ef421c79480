import { Effect } from 'effect';
import { type LeaseView, makeLeaseReader } from '../../lead/leaseView.ts';
import { leases } from '../../lead/leaseRecord.ts';
import { asSeen, type Unavailable, Cluster, type Refused } from '../../services/cluster/cluster.ts';

/** A terminal's holder, as its session records it: the Lease of its process, and which terminal of it. */
export const holderOf = (lease: string, terminal: number): string => `${lease}/${terminal}`;
const leaseOf = (holder: string): string => holder.slice(0, Math.max(0, holder.lastIndexOf('/')));

/** The processes that hold terminals, as far as this one can judge them. */
export interface Holders {
  /** The Lease of this process. */
  readonly lease: string;
  readonly leaseSeconds: number;
  /** The terminals of this process, from before they are recorded until their end is. */
  readonly own: Set<string>;
  readonly judge: (holder: string) => Effect.Effect<'alive' | 'dead', Refused | Unavailable, Cluster>;
}

export interface HolderOptions {
  /** Unique among living processes, and the name of an object. */
  readonly lease: string;
  readonly leaseSeconds: number;
}

/**
 * A holder is dead once its process has let its Lease go or run out, by this process's own clock. A Lease that ran out
 * is removed over the version that stood still: where that fails, its process lives, and where it does not, that process
 * learns of it.
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
      // Whatever else is written there names no Lease, and so no living process.
      return /^[a-z0-9]([-a-z0-9]{0,250}[a-z0-9])?$/.test(name) ? leaseState(name) : Effect.succeed('dead');
    },
  };
}

/** Of a process that opens no terminals. */
export const noTerminals = (): Holders => makeHolders({ lease: 'core-terminals', leaseSeconds: 15 });
