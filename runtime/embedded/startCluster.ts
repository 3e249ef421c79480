import { type Api, type ApiOptions, startApi } from './api/server.ts';
import { startControllers } from './controllers/controllers.ts';
import { type OpenedPodman, type PodmanParts, createPodmanKubelet } from './nodes/podman/podmanKubelet.ts';
import { type Nodes, type NodesOptions, startNodes } from './nodes/nodes.ts';

export interface ClusterOptions extends Omit<ApiOptions, 'podLogs' | 'podProcesses'> {
  /** `manual`: nothing is scheduled, run or brought about by itself. */
  readonly mode: NodesOptions['mode'];
  readonly exec: NonNullable<NodesOptions['exec']>;
  /** With `podman`: the one that was opened before anything is written into the data directory. */
  readonly podman?: OpenedPodman | null;
  /** With `podman`: what the node runs itself, and its network. */
  readonly podmanParts?: PodmanParts;
}

/** Starts a whole cluster on a data directory: the API, the controllers, and nodes that run its pods. */
export async function startCluster(options: ClusterOptions): Promise<Api> {
  const { podman: opened, podmanParts } = options;
  // The nodes live on the API's store, and the API asks the nodes for logs: it never does before they are there.
  const nodes: { started?: Nodes } = {};
  const running = () => {
    if (!nodes.started) throw new Error('the nodes are not started yet');
    return nodes.started;
  };
  const api = await startApi({
    ...options,
    podLogs: {
      read: (...asked) => running().podLogs.read(...asked),
      follow: (...asked) => running().podLogs.follow(...asked),
    },
    podProcesses: {
      exec: (...asked) => running().podProcesses.exec(...asked),
      attach: (...asked) => running().podProcesses.attach(...asked),
    },
  });
  nodes.started = startNodes(api.store, {
    ...options,
    ...(opened && { kubelet: (world) => createPodmanKubelet(world, opened, podmanParts) }),
  });
  const controllers = startControllers(api.store, options);
  return {
    ...api,
    async stop() {
      await controllers.stop();
      await nodes.started?.stop();
      await api.stop();
    },
  };
}
