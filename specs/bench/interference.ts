import { Context, Effect, Fiber, Logger, Stream } from 'effect';
import { everyKind } from '../../runtime/services/cluster/kinds.ts';
import type { Controller } from '../../runtime/contract/controller.ts';
import { Cluster, type ClusterShape } from '../../runtime/services/cluster/cluster.ts';
import { Metrics } from '../../runtime/services/metrics.ts';
import type { Operator } from '../../runtime/operator.ts';
import { startOperator } from '../../runtime/start.ts';
import { makeTestEnvironment, until } from '../support/environment.ts';
import { median } from './measure.ts';
import { withServer } from './server.ts';

export interface InterferenceFigures {
  readonly quietMs: number;
  readonly busyMs: number;
  /** Budget: at most 1.5. */
  readonly ratio: number;
  /** Passes of others that went through while a new resource was looked at, at the median. */
  readonly passesEach: number;
}

/** New resources beside others of their kind. */
export interface Newcomers {
  readonly others: number;
  /** Makes the others, which are at rest then: each costs a pass and nothing else. */
  readonly populate: (cluster: ClusterShape, others: number) => Promise<void>;
  readonly controllers: () => readonly Controller[];
  /** What stands of them before the operator begins. */
  readonly prepare?: (cluster: ClusterShape, names: readonly string[]) => Promise<void>;
  /** What somebody asks for, from which on it is timed. */
  readonly ask: (cluster: ClusterShape, name: string, operator: Operator) => Effect.Effect<unknown, unknown>;
  /** The names of new ones that have come as far as is measured. */
  readonly done: (cluster: ClusterShape) => Stream.Stream<string, unknown>;
}

const rounds = 5;
/** New ones one after the other in each round, with the others waiting and without. */
const each = 5;

/**
 * From what is asked of one resource until it is done, in the moment an operator begins with others that it all has to
 * look at, against the same a little later, when it has nothing else to do.
 */
export const interference = (newcomers: Newcomers): Promise<InterferenceFigures> =>
  withServer(async (cluster) => {
    await newcomers.populate(cluster, newcomers.others);
    const measured = [];
    for (let round = 0; round <= rounds; round++) measured.push(await oneRound(newcomers, cluster, round));
    // The first warms both sides up.
    const kept = measured.slice(1);
    const [quietMs, busyMs] = [median(kept.flatMap(({ quiet }) => quiet)), median(kept.flatMap(({ busy }) => busy))];
    return {
      quietMs,
      busyMs,
      ratio: busyMs / quietMs,
      passesEach: median(kept.map(({ passesEach }) => passesEach)),
    };
  });

async function oneRound(newcomers: Newcomers, cluster: ClusterShape, round: number) {
  let passes = 0;
  let depth = () => 0;
  const environment = makeTestEnvironment();
  const services = environment.services.pipe(
    Context.add(Cluster, cluster),
    Context.add(Metrics, {
      ...Context.get(environment.services, Metrics),
      passed: () => void passes++,
      queueDepth: (read) => void (depth = read),
    }),
  );
  const name = (kind: string, number: number) => `${kind}-${round}-${number}`;
  const names = (kind: string) => Array.from({ length: each }, (_, number) => name(kind, number));
  const all = [name('warm', 0), ...names('busy'), ...names('quiet')];
  await newcomers.prepare?.(cluster, all);
  const { operator, stop } = await startOperator(
    services,
    { controllers: newcomers.controllers(), alsoSeen: everyKind, workers: 4 },
    { logger: Logger.layer([]) },
  );
  const { fiber, heard } = hearing(newcomers.done(cluster), all);
  const timed = async (one: string): Promise<number> => {
    const start = performance.now();
    await Effect.runPromise(newcomers.ask(cluster, one, operator));
    await heard.get(one);
    return performance.now() - start;
  };
  const timedEach = async (all: readonly string[]) => {
    const took = [];
    for (const one of all) took.push(await timed(one));
    return took;
  };
  await Effect.runPromise(operator.ready);
  const before = passes;
  const busy = await timedEach(names('busy'));
  if (depth() === 0) throw new Error('Everything was looked at before the new ones were done: nothing interfered');
  const passesEach = (passes - before) / each;
  await until(() => depth() === 0, 'everything was looked at', 60_000);
  await timed(name('warm', 0));
  const quiet = await timedEach(names('quiet'));
  await Effect.runPromise(Fiber.interrupt(fiber));
  await stop();
  return { busy, quiet, passesEach };
}

/** Hears of each of these when it is done. */
function hearing(done: Stream.Stream<string, unknown>, names: readonly string[]) {
  const listeners = new Map<string, () => void>();
  const heard = new Map(names.map((name) => [name, new Promise<void>((go) => listeners.set(name, go))]));
  const fiber = Effect.runFork(Stream.runForEach(done, (name) => Effect.sync(() => listeners.get(name)?.())));
  return { fiber, heard };
}
