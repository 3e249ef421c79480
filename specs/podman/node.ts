import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Exit } from '../../runtime/embedded/api/podProcesses.ts';
import { systemClock } from '../../runtime/embedded/nodes/clock.ts';
import { type Nodes, startNodes } from '../../runtime/embedded/nodes/nodes.ts';
import {
  type PodmanParts,
  createPodmanKubelet,
  openPodman,
} from '../../runtime/embedded/nodes/podman/podmanKubelet.ts';
import type { Condition, ContainerStatus, Pod } from '../../runtime/embedded/nodes/shapes.ts';
import { clusterOptions } from '../../runtime/local/clusterOptions.ts';
import { memoryStore } from '../runtime/embedded/nodes/memoryStore.ts';
import { until } from '../support/until.ts';
import type { OwnPodman } from './ownPodman.ts';

const namespace = 'shop';
const at = (bucket: string, name: string) => ({ bucket, namespace, name });

/** A node on a podman of its own, over a store in memory. */
export async function nodeOn(own: OwnPodman, parts: PodmanParts = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'core-node-'));
  const store = memoryStore(systemClock.now);
  const opened = await openPodman({ dataDir, socket: own.podman.socket });
  const said: { readonly message: string; readonly pods?: unknown }[] = [];
  const start = (): Nodes =>
    startNodes(store, {
      ...clusterOptions,
      log: (_, message, fields) => void said.push({ message, ...fields }),
      mode: 'podman',
      kubelet: (world) => createPodmanKubelet(world, opened, parts),
    });
  let nodes = start();
  await until(() => store.list('/nodes').length > 0, 'the node');
  const get = (name: string) => store.get(at('/pods', name)) as Pod | undefined;
  return {
    store,
    folders: opened.folders,
    /** What it logged. */
    said: () => said,
    get,
    statusOf: (name: string): ContainerStatus | undefined => get(name)?.status?.containerStatuses?.[0],
    put: (bucket: string, name: string, object: object) => store.create(at(bucket, name), object),
    pod: (name: string, spec: object) =>
      store.create(at('/pods', name), { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec }),
    phase: (name: string, phase: string) =>
      until(() => get(name)?.status?.phase === phase, `the pod ${name} is ${phase}`),
    log: async (name: string, options = {}): Promise<string> => {
      const pod = get(name);
      return pod ? nodes.podLogs.read(pod, 'main', options) : '';
    },
    follow: (name: string, onLine: (line: string) => void) => {
      const pod = get(name);
      if (!pod) throw new Error(`there is no pod ${name}`);
      return nodes.podLogs.follow(pod, 'main', onLine);
    },
    exec: (name: string, command: readonly string[], options: Partial<Ran> = {}) => {
      const pod = get(name);
      if (!pod) throw new Error(`there is no pod ${name}`);
      return ran(options, (stdio) => nodes.podProcesses.exec(pod, 'main', { command, stdio }));
    },
    attach: (name: string) => {
      const pod = get(name);
      if (!pod) throw new Error(`there is no pod ${name}`);
      return ran({}, (stdio) => nodes.podProcesses.attach(pod, 'main', stdio));
    },
    /** Asks a pod to end, as the API does of a pod that a node runs. */
    askToEnd: (name: string, graceSeconds: number) =>
      store.update(at('/pods', name), (old) => ({
        ...old,
        metadata: {
          ...old.metadata,
          deletionTimestamp: new Date(Date.now() + graceSeconds * 1_000).toISOString(),
          deletionGracePeriodSeconds: graceSeconds,
        },
      })),
    relabel: (name: string, labels: Readonly<Record<string, string>>) =>
      store.update(at('/pods', name), (old) => ({ ...old, metadata: { ...old.metadata, labels } })),
    /** Says something of a pod in its status, as others than its node do. */
    condition: (name: string, condition: Pick<Condition, 'type' | 'status'>) =>
      store.update(at('/pods', name), (old) => {
        const { status } = old as Pod;
        return { ...old, status: { ...status, conditions: [...(status?.conditions ?? []), condition] } };
      }),
    restart: async (meanwhile: () => Promise<unknown> = async () => {}) => {
      await nodes.stop();
      await meanwhile();
      nodes = start();
    },
    events: (reason: string) => store.list('/events', namespace).filter((event) => event['reason'] === reason),
    async end() {
      await nodes.stop();
      for (const uid of opened.folders.pods()) opened.folders.remove(uid);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export type OwnNode = Awaited<ReturnType<typeof nodeOn>>;

interface Ran {
  readonly input: string;
  readonly tty: boolean;
  readonly gone: AbortSignal;
}

/** What a command said and how it ended. */
async function ran(
  { input, tty = false, gone = new AbortController().signal }: Partial<Ran>,
  run: (stdio: Parameters<Nodes['podProcesses']['attach']>[2]) => Promise<Exit>,
) {
  const said = { out: '', err: '' };
  const stream = (name: 'out' | 'err') =>
    new PassThrough().on('data', (chunk: Buffer) => {
      said[name] += chunk.toString('utf8');
    });
  const stdin = input === undefined ? null : new PassThrough();
  stdin?.end(input);
  const stdio = { stdin, stdout: stream('out'), stderr: stream('err'), tty, gone };
  const exit = await run({ ...stdio, size: () => ({ rows: 24, columns: 80 }), onResize: () => {} });
  return { exit, ...said };
}
