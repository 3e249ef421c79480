import { Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import type { CacheReader } from '../../runtime/cache/reader.ts';
import { offeredTo } from '../../runtime/controllers/database/room.ts';
import { clusterNodes } from '../../runtime/controllers/room.ts';
import { namespaces, pods } from '../../runtime/resources.ts';
import { Cluster, type ClusterShape, type Resource } from '../../runtime/services/cluster.ts';
import { benchDatabase } from './benchDatabase.ts';
import { median } from './measure.ts';
import { withServer } from './server.ts';

export interface RoomFigures {
  readonly ratio: number;
  readonly ms: number;
  readonly bareMs: number;
}

const namespace = 'shop-production';
const nodes = 100;
const rounds = 7;
const nodesOnly: Resource = clusterNodes;
const podsOnly: Resource = pods;

const podOf = (number: number) => {
  const requests = { cpu: '50m', memory: '64Mi' };
  return {
    metadata: { name: `web-${number}`, namespace, labels: { app: `web-${number % 500}` } },
    spec: {
      nodeName: nodeName(number % nodes),
      containers: ['web', 'proxy'].map((name) => ({ name, image: name, resources: { requests } })),
    },
  };
};
const nodeName = (number: number) => `node-${number}`;
const nodeOf = (number: number) => ({
  metadata: { name: nodeName(number), labels: { 'core.platform/region': 'local' } },
  status: { allocatable: { cpu: '16', memory: '64Gi' }, conditions: [{ type: 'Ready', status: 'True' }] },
});

const nothingCached: CacheReader = { get: () => undefined, list: () => [], changes: () => 0, indexed: () => [] };

/** Reads nodes and pods page by page and does nothing with them. */
const readBare = Effect.fnUntraced(function* (cluster: ClusterShape) {
  yield* cluster.list(nodesOnly, { limit: 500 });
  const options = { namespace: 'all', limit: 500 };
  let page = yield* cluster.list(podsOnly, options);
  let read = page.items.length;
  while (page.continue !== undefined && page.continue !== '') {
    page = yield* cluster.list(podsOnly, { ...options, continue: page.continue });
    read += page.items.length;
  }
  return read;
});

const timed = async (work: Effect.Effect<unknown, unknown>): Promise<number> => {
  const start = performance.now();
  await Effect.runPromise(work);
  return performance.now() - start;
};

const putAll = (cluster: ClusterShape, count: number) => {
  const creating = (resource: Resource, objects: readonly KubeObject[]) =>
    Effect.forEach(objects, (one) => cluster.create(resource, one), { concurrency: 16, discard: true });
  return creating(namespaces, [{ metadata: { name: namespace } }]).pipe(
    Effect.andThen(
      creating(
        nodesOnly,
        Array.from({ length: nodes }, (_, number) => nodeOf(number)),
      ),
    ),
    Effect.andThen(
      creating(
        podsOnly,
        Array.from({ length: count }, (_, number) => podOf(number)),
      ),
    ),
  );
};

/** The question whether there is room for a database, against reading nodes and pods alone; in turns. */
export const roomFigures = (count: number): Promise<RoomFigures> =>
  withServer(async (cluster) => {
    await Effect.runPromise(putAll(cluster, count));
    const database = benchDatabase('orders', { engine: 'Postgres' });
    const asking = Effect.provideService(offeredTo(database, database.spec, nothingCached), Cluster, cluster);
    const read = await Effect.runPromise(readBare(cluster));
    if (read < count) throw new Error(`${read} of ${count} pods were read`);
    await timed(asking);
    const [bare, ours]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      bare.push(await timed(readBare(cluster)));
      ours.push(await timed(asking));
    }
    return { ratio: median(ours) / median(bare), ms: median(ours), bareMs: median(bare) };
  });
