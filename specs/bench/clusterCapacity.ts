import type { KubeObject } from '../../crds/kind.ts';
import { makeTallies } from '../../runtime/cache/tally.ts';
import { type Indexer, makeIndexer } from '../../runtime/cache/indexer.ts';
import type { CacheReader } from '../../runtime/cache/reader.ts';
import { clusterNodes, availableCapacity, unmanagedPods, workloadPods } from '../../runtime/controllers/capacity.ts';
import type { Resource } from '../../runtime/services/cluster/cluster.ts';
import { median } from './measure.ts';

export interface CapacityFigures {
  /** Processor time of one judgement beside many pods, against beside few. */
  readonly ratio: number;
  readonly microseconds: number;
}

const nodes = 100;
const rounds = 9;
const comparisons = 500;
const nodeName = (number: number) => `node-${number}`;

const podOf = (number: number): KubeObject => {
  const requests = { cpu: '50m', memory: '64Mi' };
  return {
    metadata: { name: `web-${number}`, namespace: 'shop-production', resourceVersion: '1' },
    spec: {
      nodeName: nodeName(number % nodes),
      containers: ['web', 'proxy'].map((name) => ({ name, image: name, resources: { requests } })),
    },
  } as KubeObject;
};
const nodeOf = (number: number): KubeObject =>
  ({
    metadata: { name: nodeName(number), labels: { 'core.platform/region': 'local' }, resourceVersion: '1' },
    status: { allocatable: { cpu: '160', memory: '640Gi' }, conditions: [{ type: 'Ready', status: 'True' }] },
  }) as KubeObject;

/** The caches of a cluster of a hundred nodes that run so many pods. */
function cachesOf(pods: number): CacheReader {
  const indexers = new Map(
    [clusterNodes, workloadPods, unmanagedPods].map((resource) => [resource as Resource, makeIndexer<KubeObject>([])]),
  );
  for (let number = 0; number < nodes; number++) indexers.get(clusterNodes)?.put(nodeOf(number), 'initial');
  for (let number = 0; number < pods; number++) indexers.get(workloadPods)?.put(podOf(number), 'initial');
  const of = (resource: object) => indexers.get(resource as Resource) as never;
  const listed = (resource: object): readonly never[] => (of(resource) as Indexer<never>).list();
  return {
    get: () => undefined,
    list: (resource) => listed(resource),
    indexed: () => [],
    changes: () => 0,
    tally: makeTallies({ of }),
  };
}

/** µs of processor time that one judgement takes. */
function compared(reader: CacheReader): number {
  const resources = { requests: { cpu: '50m', memory: '64Mi' } };
  const asked = { resources, copies: 2, placement: { region: 'local', tags: [] }, own: [] };
  const before = process.cpuUsage();
  for (let times = 0; times < comparisons; times++) availableCapacity(asked, reader);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / comparisons;
}

/** Whether there is room for a workload, beside so many pods and beside a hundredth of them; in turns. */
export function capacityFigures(count: number): CapacityFigures {
  const [many, few] = [cachesOf(count), cachesOf(count / 100)];
  const [ofMany, ofFew]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    ofFew.push(compared(few));
    ofMany.push(compared(many));
  }
  return { ratio: median(ofMany) / median(ofFew), microseconds: median(ofMany) };
}
