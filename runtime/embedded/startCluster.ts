import { type Api, type ApiOptions, startApi } from './api/server.ts';
import { apiAudiences } from './api/authentication/authenticator.ts';
import { textAt } from './api/json.ts';
import { startControllers } from './controllers/controllers.ts';
import { dnsAddress, serviceRange, wakeAddress } from './api/services/ranges.ts';
import { machineServer } from './network/machineServer.ts';
import type { ClosedPort } from './network/doors.ts';
import { type Network, startNetwork } from './network/network.ts';
import { systemClock } from './nodes/clock.ts';
import { type Events, createEvents } from './nodes/events.ts';
import { createBridges } from './nodes/podman/network.ts';
import { type OpenedPodman, type PodmanParts, createPodmanKubelet, openPodman } from './nodes/podman/podmanKubelet.ts';
import type { TokenOf } from './nodes/podman/volumes.ts';
import { nodesRange } from './nodes/podAddresses.ts';
import { startUsageServer } from './nodes/usage/usageServer.ts';
import type { Stored } from './store.ts';
import { type Nodes, type NodesOptions, startNodes } from './nodes/nodes.ts';

export interface ClusterOptions
  extends Omit<ApiOptions, 'podLogs' | 'podProcesses' | 'podUsage'>, Pick<NodesOptions, 'isAwaited'> {
  /** `manual`: nothing is scheduled, run or brought about by itself. */
  readonly mode: NodesOptions['mode'];
  readonly exec: NonNullable<NodesOptions['exec']>;
  /** With `podman`: its socket, where another is to be used than one that is found or started. */
  readonly podmanSocket?: string | undefined;
  /** With `podman`: what the node runs itself, and its network. */
  readonly podmanParts?: PodmanParts;
  /** With `podman`: the port on loopback at which visitors are led by the Ingresses. */
  readonly ingressPort?: number;
  /** The same under the certificates that the Ingresses name. */
  readonly ingressTlsPort?: number | undefined;
  /** With `podman`: the Service at which requests for pods that may sleep are taken and held. */
  readonly wakeProxy?: { readonly namespace: string; readonly name: string; readonly port: number };
}

const usualIngressPort = 8_080;

export interface RunningCluster extends Api {
  /** Where what pods use is served as by Prometheus; null where they use nothing. */
  readonly usageUrl: string | null;
  /** The address at which pods, too, reach a server that listens on this machine. */
  readonly addressInside: (name: string, url: string) => string;
  /** Calls with the requests that the wake proxy has, whenever their number changed. */
  readonly onDemand: Network['onDemand'];
}

/** Starts a whole cluster on a data directory: the API, the controllers, and nodes that run its pods. */
export async function startCluster(options: ClusterOptions): Promise<RunningCluster> {
  const { dataDir, mode, podmanSocket, podmanParts } = options;
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
    ...(mode === 'podman' && {
      podUsage: {
        pods: () => nodes.started?.usage?.usage.pods() ?? [],
        nodes: () => nodes.started?.usage?.usage.nodes() ?? [],
      },
    }),
    podProcesses: {
      exec: (...asked) => running().podProcesses.exec(...asked),
      attach: (...asked) => running().podProcesses.attach(...asked),
    },
  });
  // Only the API locks the data directory, which has to be ours before anything is written there.
  const opened = mode === 'podman' ? await openPodman({ dataDir, socket: podmanSocket }).catch(ending(api)) : null;
  const network = opened ? startNetwork(api.store, networkOptions(opened, options), options) : null;
  const events = createEvents(api.store, systemClock);
  network?.onClosed((closed) => recordClosed(api.store, events, closed));
  const led = {
    dnsAddress,
    joined: (pod: Stored, address: string) => network?.joined(pod, address) ?? Promise.resolve(),
    left: (pod: Stored) => network?.left(pod) ?? Promise.resolve(),
  };
  const parts: PodmanParts = {
    network: (world) => createBridges(world, led),
    tokenOf: podTokens(api),
    ...podmanParts,
  };
  nodes.started = startNodes(api.store, {
    ...options,
    ...(opened && { kubelet: (world) => createPodmanKubelet(world, opened, parts) }),
  });
  const controllers = startControllers(api.store, options);
  const usageServer = nodes.started.usage ? await startUsageServer(nodes.started.usage.ring, options.log) : null;
  return {
    ...api,
    usageUrl: usageServer?.url ?? null,
    addressInside(name, outside) {
      if (!network) return outside;
      const { systemNamespace: namespace } = options.names;
      const { url, changes } = machineServer({ namespace, name, server: new URL(outside) });
      changes.forEach(network.put);
      return url;
    },
    onDemand: (listener) => network?.onDemand(listener),
    async stop() {
      await usageServer?.stop();
      await controllers.stop();
      await nodes.started?.stop();
      await network?.stop();
      await events.settled();
      await api.stop();
    },
  };
}

/** Records on each Service which of its ports are not reachable. */
function recordClosed(store: Api['store'], events: Events, closed: readonly ClosedPort[]): void {
  for (const { service, message } of closed) {
    const [namespace = '', name = ''] = service.split('/');
    const found = store.get({ bucket: '/services', namespace, name });
    if (found) events.record('kube-proxy', found, { type: 'Warning', reason: 'PortNotOpened', message });
  }
}

/** The tokens that pods are given, each for the account of its pod and good for as long as the pod is there. */
const podTokens =
  ({ store, accountTokens }: Api): TokenOf =>
  (pod, { audience, seconds }) => {
    const name = textAt(pod, 'spec', 'serviceAccountName') || 'default';
    const { namespace = '' } = pod.metadata;
    const account = store.get({ bucket: '/serviceaccounts', namespace, name });
    if (!account) return null;
    const audiences = audience === '' ? apiAudiences : [audience];
    return accountTokens.issue(account, { audiences, seconds, bound: { kind: 'Pod', object: pod } }).token;
  };

const ending =
  (api: Api) =>
  async (why: unknown): Promise<never> => {
    await api.stop();
    throw why;
  };

const networkOptions = (
  { folders }: OpenedPodman,
  {
    ingressPort = usualIngressPort,
    ingressTlsPort,
    wakeProxy,
  }: Pick<ClusterOptions, 'ingressPort' | 'ingressTlsPort' | 'wakeProxy'>,
) => ({
  owner: folders.id,
  podRange: nodesRange,
  serviceRange,
  dnsAddress,
  ingressPort,
  ingressTlsPort: ingressTlsPort ?? null,
  ...(wakeProxy && { wakeProxy: { ...wakeProxy, address: wakeAddress } }),
});
