import { clusterOptions } from '../../../../runtime/local/clusterOptions.ts';
import { defaultNodes } from '../../../../runtime/embedded/nodes/defaults.ts';
import { type Nodes, type NodesOptions, startNodes } from '../../../../runtime/embedded/nodes/nodes.ts';
import type { ContainerStatus, Job, Pod } from '../../../../runtime/embedded/nodes/shapes.ts';
import type { Stored } from '../../../../runtime/embedded/store.ts';
import { manualClock } from './manualClock.ts';
import { memoryStore } from './memoryStore.ts';

const namespace = 'core-system';
const at = (bucket: string, name: string) => ({ bucket, namespace, name });
const configMap = at('/configmaps', 'simulated-nodes');

/** A small cluster: a store in memory, a clock turned by hand, and the nodes on them. */
export async function simulated(
  data: Readonly<Record<string, string>> = {},
  mode: NodesOptions['mode'] = 'simulated',
  isAwaited: NonNullable<NodesOptions['isAwaited']> = () => false,
) {
  const clock = manualClock();
  const store = memoryStore(clock.now);
  await store.create(configMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    data: { ...defaultNodes(clusterOptions.names), ...data },
  });
  let nodes: Nodes = startNodes(store, { ...clusterOptions, mode, clock, isAwaited });
  await clock.turn(0);
  return {
    store,
    clock,
    get podLogs() {
      return nodes.podLogs;
    },
    stop: () => nodes.stop(),
    start: () => {
      nodes = startNodes(store, { ...clusterOptions, mode, clock, isAwaited });
    },
    configure: (next: Readonly<Record<string, string>>) =>
      store.update(configMap, (old) => ({ ...old, data: { ...defaultNodes(clusterOptions.names), ...data, ...next } })),
    job: (name: string, spec: object = {}, podSpec: object = {}) =>
      store.create(at('batch/jobs', name), jobManifest(spec, podSpec)) as Promise<Job>,
    pod: (name: string, spec: object = {}, metadata: object = {}) =>
      store.create(at('/pods', name), {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata,
        spec: { containers: [{ name: 'web', image: 'web:1' }], ...spec },
      }) as Promise<Pod>,
    getJob: (name: string) => store.get(at('batch/jobs', name)) as Job | undefined,
    getPod: (name: string) => store.get(at('/pods', name)) as Pod | undefined,
    pods: () => store.list('/pods', namespace) as readonly Pod[],
    remove: (bucket: string, name: string) => store.remove(at(bucket, name)),
    /** Asks a pod to end, as the API does of a pod that a node runs. */
    askToEnd: (name: string, graceSeconds: number) =>
      store.update(at('/pods', name), (old) => ({
        ...old,
        metadata: {
          ...old.metadata,
          deletionTimestamp: new Date(clock.now() + graceSeconds * 1_000).toISOString(),
          deletionGracePeriodSeconds: graceSeconds,
        },
      })),
    events: (reason: string) => store.list('/events', namespace).filter((event) => event['reason'] === reason),
    setJobStatus: (name: string, status: object) => store.update(at('batch/jobs', name), (old) => ({ ...old, status })),
    setJobSpec: (name: string, spec: object) =>
      store.update(at('batch/jobs', name), (old) => ({ ...old, spec: { ...(old.spec as object), ...spec } })),
    annotate: (name: string, annotations: Readonly<Record<string, string>>) =>
      store.update(at('/pods', name), (old) => ({ ...old, metadata: { ...old.metadata, annotations } })),
  };
}

const jobManifest = (spec: object, podSpec: object) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  spec: {
    backoffLimit: 2,
    ...spec,
    template: {
      metadata: { labels: { app: 'hello' }, annotations: { 'core.platform/run': '7' } },
      spec: {
        restartPolicy: 'Never',
        containers: [{ name: 'builder', image: 'kaniko:1', args: ['--destination=registry.local/hello:v1'] }],
        ...podSpec,
      },
    },
  },
});

/** The state of a pod's main container: its only key, such as `running`. */
export const stateOf = (pod: Pod | undefined): string => Object.keys(firstStatus(pod)?.state ?? {})[0] ?? '';
export const firstStatus = (pod: Pod | undefined): ContainerStatus | undefined => pod?.status?.containerStatuses?.[0];

export const condition = (object: Stored | undefined, type: string) =>
  (object?.status as Job['status'])?.conditions?.find((one) => one.type === type);
