import { Context, Effect } from 'effect';
import type { Gate } from '../../runtime/gate.ts';
import { Away, Cluster, type ClusterShape, Conflict } from '../../runtime/services/cluster.ts';
import { ObjectStore, type ObjectStoreShape } from '../../runtime/services/objectStore.ts';
import type { Services } from '../../runtime/start.ts';
import type { Blow } from './plan.ts';

/** What becomes of one process: how many writes it made, and whether it is dead. */
export interface Fate {
  dead: boolean;
  writes: number;
}

/** A process that takes at most one blow: its gate, and the world as it meets it. */
export interface Struck {
  readonly fate: Fate;
  readonly gate: Gate;
  readonly services: Context.Context<Services>;
}

/** Counts the writes of a process, and deals it its blow: before a write at the gate, after one at its answer. */
export function struck(services: Context.Context<Services>, blow: Blow | undefined): Struck {
  const fate: Fate = { dead: false, writes: 0 };
  const due = () => (blow?.at === fate.writes ? blow.is : undefined);
  const die = Effect.suspend(() => {
    fate.dead = true;
    return Effect.never;
  });
  const through: Gate['through'] = (write) =>
    Effect.suspend(() => {
      if (fate.dead) return Effect.never;
      if (write.startsWith('create Event')) return Effect.void;
      fate.writes++;
      if (due() === 'dies') return die;
      return due() === 'refused' ? Effect.fail(new Away({ why: '503' })) : Effect.void;
    });

  const answered: Answered = (write, failures = {}) =>
    Effect.suspend(() => {
      const befalls = due();
      if (befalls === 'conflict' && failures.conflict) return Effect.fail(failures.conflict);
      return Effect.flatMap(write, (answer) => {
        if (befalls === 'diesAfter') return die;
        return befalls === 'lost' && failures.lost ? Effect.fail(failures.lost) : Effect.succeed(answer);
      });
    });
  return {
    fate,
    gate: { through, close: () => {} },
    services: services.pipe(
      Context.add(Cluster, struckCluster(Context.get(services, Cluster), answered)),
      Context.add(ObjectStore, struckStore(Context.get(services, ObjectStore), answered)),
    ),
  };
}

/** A write as its process hears of it. */
type Answered = <A, E>(
  write: Effect.Effect<A, E>,
  failures?: { readonly lost?: NoInfer<E>; readonly conflict?: NoInfer<E> },
) => Effect.Effect<A, E>;

function struckCluster(cluster: ClusterShape, answered: Answered): ClusterShape {
  const lost = new Away({ why: 'the answer was lost' });
  const conflict = new Conflict({ what: 'somebody wrote in between' });
  return {
    ...cluster,
    create: (resource, object) =>
      resource.kind === 'Event'
        ? cluster.create(resource, object)
        : answered(cluster.create(resource, object), { lost }),
    patch: (...given) => answered(cluster.patch(...given), { lost, conflict }),
    patchStatus: (...given) => answered(cluster.patchStatus(...given), { lost, conflict }),
    remove: (...given) => answered(cluster.remove(...given), { lost, conflict }),
  };
}

const struckStore = (store: ObjectStoreShape, answered: Answered): ObjectStoreShape => ({
  ...store,
  put: (...given) => answered(store.put(...given)),
});
