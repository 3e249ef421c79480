import { Effect } from 'effect';
import { Unavailable, type ClusterShape } from '../../../runtime/services/cluster/cluster.ts';
import { numbers } from '../../support/random.ts';
import { counter, counts } from './counting.ts';
import type { EventFault } from './fault.ts';
import { type Hearing, type Relay, relayed, type Told } from './relay.ts';

type Kind = EventFault['is'];
type Of<Is extends Kind> = Extract<EventFault, { readonly is: Is }>;

/** The effect of a fault on the one change it targets. */
type Strike = (change: Told, relay: Relay) => ReturnType<Hearing['hear']>;

const tell: Strike = (change, relay) => Effect.sync(() => relay.tell(change));

/** Only the targeted change is affected; every other one is passed on as it arrives. */
const once = (fault: Exclude<EventFault, Of<'anyOrder'>>, touch: () => void, strike: Strike) => {
  const isIt = counter(fault);
  return (): Hearing => ({
    hear: (change, relay) => {
      if (!isIt(relay.plural)) return tell(change, relay);
      touch();
      return strike(change, relay);
    },
  });
};

const later = (ms: number, act: () => void) =>
  Effect.asVoid(Effect.forkScoped(Effect.andThen(Effect.sleep(ms), Effect.sync(act))));

/** The watch stays open and silent until the silence is noticed. */
function deaf(fault: Of<'deafWatch'>, touch: () => void): () => Hearing {
  const isIt = counter(fault);
  return () => {
    let isDeaf = false;
    return {
      isDeaf: () => isDeaf,
      hear: (change, relay) => {
        if (isDeaf) return Effect.void;
        if (!isIt(relay.plural)) return tell(change, relay);
        touch();
        isDeaf = true;
        return later(relay.silenceMs, () =>
          relay.fail(new Unavailable({ message: `nothing heard for ${relay.silenceMs} ms` })),
        );
      },
    };
  };
}

function anyOrder(fault: Of<'anyOrder'>, touch: () => void): () => Hearing {
  const next = numbers(fault.seed);
  return () => ({
    hear: (change, relay) => {
      const ms = counts(fault, relay.plural) ? Math.floor(next() * (fault.mostMs + 1)) : 0;
      if (ms === 0) return tell(change, relay);
      touch();
      return Effect.andThen(Effect.sleep(ms), tell(change, relay));
    },
  });
}

const hearings: { readonly [Is in Kind]: (fault: Of<Is>, touch: () => void) => () => Hearing } = {
  loseEvent: (fault, touch) => once(fault, touch, () => Effect.void),
  doubleEvent: (fault, touch) =>
    once(fault, touch, (change, relay) => {
      relay.tell(change);
      return fault.againAfterMs === 0 ? tell(change, relay) : later(fault.againAfterMs, () => relay.tell(change));
    }),
  delayEvent: (fault, touch) =>
    once(fault, touch, (change, relay) => Effect.andThen(Effect.sleep(fault.ms), tell(change, relay))),
  overtakeEvent: (fault, touch) => once(fault, touch, (change, relay) => later(fault.ms, () => relay.tell(change))),
  endWatch: (fault, touch) =>
    once(fault, touch, (change, relay) =>
      Effect.sync(() => {
        relay.tell(change);
        relay.end();
      }),
    ),
  deafWatch: deaf,
  anyOrder,
};

/** The cluster with one fault in the events of its watches. */
export function withEventFault<Is extends Kind>(
  cluster: ClusterShape,
  fault: Of<Is> & { readonly is: Is },
  touch: () => void,
): ClusterShape {
  return relayed(cluster, hearings[fault.is](fault, touch));
}
