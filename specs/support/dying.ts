import { Effect } from 'effect';
import { Unavailable, type ClusterShape } from '../../runtime/services/cluster/cluster.ts';

export const dead = new Unavailable({ message: 'the process is dead' });

/** A process that dies after some writes: none that comes later is done. */
export function dyingAfter(writes: number) {
  let left = writes;
  const once = <A, E, R>(write: Effect.Effect<A, E, R>): Effect.Effect<A, E | Unavailable, R> =>
    Effect.suspend((): Effect.Effect<A, E | Unavailable, R> => (left-- > 0 ? write : Effect.fail(dead)));
  return {
    over: (cluster: ClusterShape): ClusterShape => ({
      ...cluster,
      create: (...given) => once(cluster.create(...given)),
      apply: (...given) => once(cluster.apply(...given)),
      patch: (...given) => once(cluster.patch(...given)),
      patchStatus: (...given) => once(cluster.patchStatus(...given)),
      remove: (...given) => once(cluster.remove(...given)),
    }),
    isDead: () => left < 0,
  };
}
