import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Effect, Exit, Scope, Stream } from 'effect';
import type { CoreBuild } from '../../crds/coreBuild.ts';
import { buildLabels } from '../../rules/build/build.ts';
import { makeCache } from '../../runtime/cache/cache.ts';
import { builds } from '../../runtime/services/cluster/kinds.ts';
import { Cluster, type ClusterShape, type ListOptions } from '../../runtime/services/cluster/cluster.ts';
import { memoryCluster } from '../support/memoryCluster.ts';
import { userBuild } from '../support/environment.ts';

export interface MemoryFigures {
  readonly jsonBytes: number;
  readonly heapBytes: number;
  /** What an object takes beyond its own JSON, in its JSON. Budget: at most 1. */
  readonly beyond: number;
}

const objects = 5_000;

/** A build that succeeded, as the API sends it. */
function textOf(number: number): string {
  const name = `shop-${number}-build-1`;
  const uid = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const at = new Date(Date.UTC(2027, 0, 1) + number * 1_000).toISOString();
  const moves = ['commitResolved', 'startCleared', 'jobCreated', 'digestFound'];
  const made: CoreBuild = userBuild(
    name,
    { app: `shop-${number}`, project: 'demo', repository: `demo/shop-${number}` },
    {
      phase: 'Succeeded',
      startedAt: at,
      completedAt: at,
      jobRef: `${name}-builder`,
      logRef: `pod-log://${name}-builder/builder`,
      image: `registry.local/apps/shop-${number}`,
      sourceRevision: String(number).padStart(40, 'a'),
      imageDigest: `sha256:${String(number).padStart(64, 'd')}`,
      history: moves.map((event, index) => ({
        seq: index + 1,
        machine: 'build',
        from: 'Pending',
        event,
        to: 'Pending',
        rule: `BLD-15${index}`,
        by: 'operator',
        at,
        text: `Build ${name} went on: what a history entry says of a move, and how long it took`,
      })),
    },
  );
  const metadata = { ...made.metadata, uid, resourceVersion: String(number + 1), creationTimestamp: at, generation: 1 };
  return JSON.stringify({ ...made, metadata: { ...metadata, labels: buildLabels(made.spec) } });
}

/** Answers lists page by page, each object parsed anew as it is from the wire; a watch tells nothing. */
function listing(texts: () => readonly string[]): ClusterShape {
  const list = (_: unknown, { limit = objects, continue: from = '0' }: ListOptions = {}) =>
    Effect.sync(() => {
      const items = texts().slice(Number(from), Number(from) + limit);
      const next = Number(from) + limit;
      const page = JSON.parse(`{"items":[${items.join(',')}]}`) as { readonly items: readonly never[] };
      return { ...page, resourceVersion: String(objects), ...(next < texts().length && { continue: String(next) }) };
    });
  return {
    ...memoryCluster(),
    list,
    watch: (_, { opened = Effect.void }) => Stream.unwrap(Effect.as(opened, Stream.never)),
  };
}

/** What a cache of many objects adds to the heap. */
export async function memoryFigures(): Promise<MemoryFigures> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = () => {
    for (let turn = 0; turn < 3; turn++) collect();
    return process.memoryUsage().heapUsed;
  };
  let texts: readonly string[] = Array.from({ length: objects }, (_, number) => textOf(number));
  const jsonBytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / objects;
  const scope = Scope.makeUnsafe();
  const make = makeCache(builds).pipe(
    Effect.provideService(
      Cluster,
      listing(() => texts),
    ),
    Effect.provideService(Scope.Scope, scope),
  );
  const before = heap();
  const cache = await Effect.runPromise(make);
  await Effect.runPromise(cache.synced);
  const heapBytes = (heap() - before) / objects;
  if (cache.list().length !== objects) throw new Error(`${cache.list().length} of ${objects} are cached`);
  texts = [];
  await Effect.runPromise(Scope.close(scope, Exit.void));
  return { jsonBytes, heapBytes, beyond: heapBytes / jsonBytes - 1 };
}
