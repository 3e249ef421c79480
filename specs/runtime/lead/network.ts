import { Effect, type Exit } from 'effect';
import { Unavailable, type ClusterShape } from '../../../runtime/services/cluster/cluster.ts';

/** How the requests of one process fare: how long they take, and what is lost on the way. */
export interface Network {
  thereMs: number;
  backMs: number;
  lost: 'nothing' | 'requests' | 'answers';
}

/** An event outside every process, at a time. */
export interface Due {
  readonly at: number;
  readonly run: () => void;
}

/** The API calls that a lease makes. */
export type LeaseApi = Pick<ClusterShape, 'get' | 'create' | 'patch'>;

/**
 * The API as one process reaches it. A request under way arrives, whatever happens to the process meanwhile; its
 * response waits for the process to run.
 */
export function over(network: Network, api: LeaseApi, later: (ms: number, run: () => void) => void): LeaseApi {
  const send = <A, E>(request: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.callback<A, E>((resume) => {
      if (network.lost === 'requests') return;
      const answersLost = network.lost === 'answers';
      later(network.thereMs, () => {
        const answer: Exit.Exit<A, E> = Effect.runSync(Effect.exit(request));
        if (!answersLost) later(network.backMs, () => resume(answer));
      });
    });
  return {
    get: (...given) => send(api.get(...given)),
    create: (...given) => send(api.create(...given)),
    patch: (...given) => send(api.patch(...given)),
  };
}

/** An API that is down. */
export const down: LeaseApi = {
  get: () => Effect.fail(new Unavailable({ message: '503' })),
  create: () => Effect.fail(new Unavailable({ message: '503' })),
  patch: () => Effect.fail(new Unavailable({ message: '503' })),
};
