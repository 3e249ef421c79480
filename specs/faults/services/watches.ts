import { Effect } from 'effect';
import { type ClusterShape, Gone } from '../../../runtime/services/cluster/cluster.ts';
import { aroundCalls, type Called } from './calls.ts';
import { counter } from './counting.ts';
import type { WatchFault } from './fault.ts';
import { type Hearing, type Relay, relayed } from './relay.ts';

type Of<Is extends WatchFault['is']> = Extract<WatchFault, { readonly is: Is }>;

const tooOld = () => new Gone({ what: 'too old resource version' });
const tell: Hearing['hear'] = (change, relay) => Effect.sync(() => relay.tell(change));

/** A version that was too old once stays too old until the resource is listed again. */
function tooOldUntilListed(cluster: ClusterShape) {
  const old = new Set<string>();
  const listing = <A, E>({ verb, plural }: Called, run: Effect.Effect<A, E>) =>
    verb === 'list' ? Effect.tap(run, () => Effect.sync(() => old.delete(plural))) : run;
  return {
    cluster: aroundCalls(cluster, { read: listing, write: (_, run) => run }),
    isOld: (plural: string) => old.has(plural),
    becomes: (plural: string) => void old.add(plural),
  };
}

function goneWatch(cluster: ClusterShape, fault: Of<'goneWatch'>, touch: () => void): ClusterShape {
  const isIt = counter(fault);
  const under = tooOldUntilListed(cluster);
  return relayed(under.cluster, ({ plural }) => ({
    hear: tell,
    opened: () => {
      if (isIt(plural)) {
        touch();
        under.becomes(plural);
      }
      return under.isOld(plural) ? Effect.fail(tooOld()) : Effect.void;
    },
  }));
}

function relist(cluster: ClusterShape, fault: Of<'relist'>, touch: () => void): ClusterShape {
  const isIt = counter(fault);
  const open = new Set<Relay>();
  const under = tooOldUntilListed(cluster);
  const watched = relayed(under.cluster, ({ plural }) => ({
    hear: tell,
    opened: (relay) =>
      under.isOld(plural)
        ? Effect.fail(tooOld())
        : Effect.asVoid(
            Effect.acquireRelease(
              Effect.sync(() => open.add(relay)),
              () => Effect.sync(() => open.delete(relay)),
            ),
          ),
  }));
  const before = (called: Called) => {
    if ((fault.on !== 'call' && fault.on !== called.is) || !isIt(called.plural) || open.size === 0) return;
    touch();
    // Copies the open watches, because a delivered event may open the next one at once.
    const told = [...open];
    for (const relay of told) {
      under.becomes(relay.plural);
      relay.fail(tooOld());
    }
  };
  const first = <A, E>(called: Called, run: Effect.Effect<A, E>) =>
    Effect.andThen(
      Effect.sync(() => before(called)),
      run,
    );
  return aroundCalls(watched, { read: first, write: first });
}

/** The cluster with watches that must restart. */
export const withWatchFault = (cluster: ClusterShape, fault: WatchFault, touch: () => void): ClusterShape =>
  fault.is === 'goneWatch' ? goneWatch(cluster, fault, touch) : relist(cluster, fault, touch);
