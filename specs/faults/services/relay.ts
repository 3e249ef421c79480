import { Cause, Effect, Queue, type Scope, Stream } from 'effect';
import type { KubeObject } from '../../../crds/kind.ts';
import type {
  Unavailable,
  ClusterShape,
  Gone,
  Refused,
  Resource,
  Watched,
} from '../../../runtime/services/cluster/cluster.ts';

type WatchFailure = Refused | Unavailable | Gone;

/** A change of an object; a bookmark is not one. */
export type Told = Extract<Watched<KubeObject>, { readonly object: KubeObject }>;

/** A watch in between, which passes the received events on or drops them. */
export interface Relay {
  readonly plural: string;
  readonly silenceMs: number;
  readonly tell: (change: Watched<KubeObject>) => void;
  /** The server ends the watch. */
  readonly end: () => void;
  readonly fail: (failure: WatchFailure) => void;
}

/** Handles each change before the next one arrives. A bookmark is passed on, unless the watch is deaf. */
export interface Hearing {
  readonly hear: (change: Told, relay: Relay) => Effect.Effect<void, never, Scope.Scope>;
  readonly opened?: (relay: Relay) => Effect.Effect<void, WatchFailure, Scope.Scope>;
  readonly isDeaf?: () => boolean;
}

/** The cluster with every watch relayed; `hearing` is called for each watch that is opened. */
export function relayed(cluster: ClusterShape, hearing: (resource: Resource) => Hearing): ClusterShape {
  const watch = (resource: Resource, options: Parameters<ClusterShape['watch']>[1]) =>
    Stream.callback<Watched<KubeObject>, WatchFailure>(
      (queue) =>
        Effect.gen(function* () {
          const { hear, opened, isDeaf } = hearing(resource);
          let open = true;
          const relay: Relay = {
            plural: resource.plural,
            silenceMs: options.silenceMs,
            tell: (change) => void (open && Queue.offerUnsafe(queue, change)),
            end: () => {
              if (open) Queue.endUnsafe(queue);
              open = false;
            },
            fail: (failure) => {
              if (open) Queue.failCauseUnsafe(queue, Cause.fail(failure));
              open = false;
            },
          };
          yield* Effect.addFinalizer(() =>
            Effect.sync(() => {
              open = false;
            }),
          );
          if (opened) yield* opened(relay);
          yield* Stream.runForEach(cluster.watch(resource, options), (change) => {
            if (change.type !== 'bookmark') return hear(change, relay);
            return isDeaf?.() ? Effect.void : Effect.sync(() => relay.tell(change));
          });
          relay.end();
        }),
      { bufferSize: Number.POSITIVE_INFINITY },
    );
  return { ...cluster, watch: watch as unknown as ClusterShape['watch'] };
}
