import { Context, Effect, Fiber, Logger, Stream } from 'effect';
import { everything } from '../../runtime/controllers/all.ts';
import { builds } from '../../runtime/kinds.ts';
import { Cluster, type ClusterShape } from '../../runtime/services/cluster.ts';
import { Metrics } from '../../runtime/services/metrics.ts';
import { startOperator } from '../../runtime/start.ts';
import { handMade, labelled, makeWorld, until } from '../support/world.ts';
import { follow } from './follow.ts';
import { median } from './measure.ts';
import { withServer } from './server.ts';

export interface InterferenceFigures {
  readonly quietMs: number;
  readonly busyMs: number;
  /** Budget: at most 1.5. */
  readonly ratio: number;
  /** Passes of others that went through while a new resource was looked at, at the median. */
  readonly passedBy: number;
}

const others = 5_000;
const rounds = 5;
/** Builds one after the other in each round, with the others waiting and without. */
const each = 5;
const settings = { builderImage: 'builder', gitImage: 'git', gitUrl: 'https://git.example' };

/**
 * From the creation of one build until its Job runs, in the moment an operator begins with 5,000 others that it all has
 * to look at, against the same a little later, when it has nothing else to do.
 */
export const interference = (): Promise<InterferenceFigures> =>
  withServer(async (cluster) => {
    await populate(cluster);
    const measured = [];
    for (let round = 0; round <= rounds; round++) measured.push(await oneRound(cluster, round));
    // The first warms both sides up.
    const kept = measured.slice(1);
    const [quietMs, busyMs] = [median(kept.flatMap(({ quiet }) => quiet)), median(kept.flatMap(({ busy }) => busy))];
    return { quietMs, busyMs, ratio: busyMs / quietMs, passedBy: median(kept.map(({ passedBy }) => passedBy)) };
  });

const settled = {
  phase: 'Failed',
  history: [
    {
      seq: 1,
      machine: 'build',
      from: 'Pending',
      event: 'registryMissing',
      to: 'Failed',
      rule: 'registryMissing',
      by: 'operator',
      at: '2027-01-01T00:00:00.000Z',
      text: 'No registry',
    },
  ],
};

/** Builds at rest: each costs a pass and nothing else. */
const populate = (cluster: ClusterShape) =>
  Effect.runPromise(
    Effect.forEach(
      Array.from({ length: others }, (_, number) => `other-${number}`),
      (name) =>
        cluster
          .create(builds, labelled(handMade(name, { app: name, registry: '' })))
          .pipe(Effect.andThen(cluster.patchStatus(builds, { name }, settled))),
      { concurrency: 16, discard: true },
    ),
  );

async function oneRound(cluster: ClusterShape, round: number) {
  let passes = 0;
  let depth = () => 0;
  const world = makeWorld();
  const services = world.services.pipe(
    Context.add(Cluster, cluster),
    Context.add(Metrics, {
      ...Context.get(world.services, Metrics),
      passed: () => void passes++,
      queueDepth: (read) => void (depth = read),
    }),
  );
  const { operator, stop } = await startOperator(
    services,
    { ...everything(settings), workers: 4 },
    { logger: Logger.layer([]) },
  );
  const name = (kind: string, number: number) => `${kind}-${round}-${number}`;
  const names = (kind: string) => Array.from({ length: each }, (_, number) => name(kind, number));
  const awaited = runs(cluster, [name('warm', 0), ...names('busy'), ...names('quiet')]);
  await Effect.runPromise(operator.ready);
  const before = passes;
  const busy = await timedEach(cluster, names('busy'), awaited);
  if (depth() === 0) throw new Error('Everything was looked at before the builds ran: nothing interfered');
  const passedBy = (passes - before) / each;
  await until(() => depth() === 0, 'everything was looked at', 60_000);
  await timed(cluster, name('warm', 0), awaited);
  const quiet = await timedEach(cluster, names('quiet'), awaited);
  await Effect.runPromise(Fiber.interrupt(awaited.fiber));
  await stop();
  return { busy, quiet, passedBy };
}

/** Hears of each of these builds when it runs. */
function runs(cluster: ClusterShape, names: readonly string[]) {
  const listeners = new Map<string, () => void>();
  const heard = new Map(names.map((name) => [name, new Promise<void>((go) => listeners.set(name, go))]));
  const fiber = Effect.runFork(
    follow(cluster, builds).pipe(
      Stream.runForEach((change) =>
        Effect.sync(() => {
          if (change.type === 'modified' && change.object.status?.phase === 'Running')
            listeners.get(change.object.metadata.name)?.();
        }),
      ),
    ),
  );
  return { fiber, heard };
}

async function timed(cluster: ClusterShape, name: string, { heard }: ReturnType<typeof runs>): Promise<number> {
  const start = performance.now();
  await Effect.runPromise(cluster.create(builds, labelled(handMade(name, { app: name }))));
  await heard.get(name);
  return performance.now() - start;
}

async function timedEach(cluster: ClusterShape, names: readonly string[], awaited: ReturnType<typeof runs>) {
  const took = [];
  for (const name of names) took.push(await timed(cluster, name, awaited));
  return took;
}
