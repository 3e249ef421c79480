import { Effect, Fiber, Stream } from 'effect';
import { coreDatabase, type CoreDatabase } from '../../crds/coreDatabase.ts';
import { typeMeta } from '../../crds/kind.ts';
import { annotation, systemNamespace } from '../../crds/names.ts';
import { historyOf } from '../../runtime/step/history.ts';
import { databases } from '../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import type { ClusterShape } from '../../runtime/services/cluster/cluster.ts';
import { follow } from './follow.ts';

/** Whatever carries out a deploy. */
export type Deploy = (database: CoreDatabase) => Effect.Effect<unknown, unknown>;

export interface Lived {
  readonly perSecond: number;
  /** Of the processor, in this process. */
  readonly cpuMs: number;
  /** Moves of all machines of all databases. */
  readonly moves: number;
}

const passwordName = 'password-of-all';

/** A draft of the shared server of the cluster, which stands elsewhere: it needs a login, and nobody's project. */
const externalDraft = (name: string): CoreDatabase => ({
  ...typeMeta(coreDatabase),
  metadata: { name, namespace: systemNamespace, annotations: { [annotation.deployWorkflow]: 'true' } },
  spec: {
    engine: 'MySQL',
    placement: 'External',
    highAvailability: false,
    instances: 1,
    version: '8',
    externalHost: `${name}.example`,
    username: 'app',
    passwordSecretRef: { name: passwordName, key: 'password' },
    deploy: { enabled: false },
  },
});

/**
 * Creates databases and times them until the last is gone: each is deployed when it is a draft, and deleted when it is
 * Ready.
 */
export async function liveAll(cluster: ClusterShape, count: number, deploy: Deploy): Promise<Lived> {
  const lives = Effect.runFork(allLives(cluster, count, deploy));
  await new Promise((listening) => setTimeout(listening, 200));
  const [start, before] = [performance.now(), process.cpuUsage()];
  await Effect.runPromise(
    Effect.forEach(
      Array.from({ length: count }, (_, index) => externalDraft(`life-${index}`)),
      (draft) => cluster.create(databases, draft),
      { concurrency: 16, discard: true },
    ),
  );
  const moves = await Effect.runPromise(Fiber.join(lives));
  const { user, system } = process.cpuUsage(before);
  return { perSecond: count / ((performance.now() - start) / 1_000), cpuMs: (user + system) / 1_000, moves };
}

export const putPassword = (cluster: ClusterShape) =>
  Effect.runPromise(
    cluster.create(secrets, {
      metadata: { name: passwordName, namespace: systemNamespace },
      data: { password: Buffer.from('s/cret').toString('base64') },
    }),
  );

/** What somebody does who uses them, in answer to what he sees; comes to their moves when the last is gone. */
function allLives(cluster: ClusterShape, count: number, deploy: Deploy) {
  const done = new Set<string>();
  const once = (what: string, effect: Effect.Effect<unknown, unknown>) => {
    if (done.has(what)) return Effect.void;
    done.add(what);
    return effect;
  };
  const answer = (database: CoreDatabase) => {
    const { name } = database.metadata;
    switch (database.status?.phase) {
      case 'Draft':
        return once(`deploy ${name}`, deploy(database));
      case 'Ready':
        return once(`remove ${name}`, cluster.remove(databases, { name }));
      default:
        return Effect.void;
    }
  };
  let gone = 0;
  let moves = 0;
  return follow(cluster, databases).pipe(
    Stream.mapEffect(
      (change) => {
        if (change.type === 'bookmark') return Effect.void;
        if (change.type !== 'deleted') return answer(change.object);
        gone++;
        moves += historyOf(change.object).length;
        return Effect.void;
      },
      { concurrency: 16, unordered: true },
    ),
    Stream.takeUntil(() => gone >= count),
    Stream.runDrain,
    Effect.map(() => moves),
  );
}
