import { at, listAt, textAt } from '../../api/json.ts';
import type { PodAddresses } from '../podAddresses.ts';
import type { Node, Pod } from '../shapes.ts';
import { type Libpod, unlessAbsent } from './libpod.ts';

/** Where a pod is joined to: a bridge of podman's, the address there, and how it resolves names. */
export interface Joined {
  readonly network: string;
  readonly address: string;
  readonly dns?: {
    readonly servers: readonly string[];
    readonly searches: readonly string[];
    readonly options: readonly string[];
  };
}

/** Chooses the network of pods. */
export interface PodNetwork {
  /** Makes the bridge of a pod where it is not there, and chooses its address. */
  readonly join: (pod: Pod, node: Node | undefined) => Promise<Joined>;
}

interface World {
  readonly podman: Libpod;
  readonly cluster: string;
  readonly addresses: PodAddresses;
}

/** One bridge with the range of the node for all pods. */
export function createBridge({ podman, cluster, addresses }: World): PodNetwork {
  const network = `core-${cluster}`;
  return {
    async join(pod, node) {
      const range = node?.spec?.podCIDR;
      const address = addresses.of(pod.metadata.uid, node);
      if (range === undefined || address === undefined) throw new Error('the node has no address for this pod');
      await ensureBridge(podman, network, range);
      return { network, address };
    },
  };
}

/** Makes a bridge that pods of other bridges cannot reach; one that is there stays. */
export async function ensureBridge(podman: Libpod, name: string, subnet: string): Promise<void> {
  const found = await unlessAbsent(podman.call({ method: 'GET', path: `/networks/${name}/json` }));
  if (at(found, 'name') === name) return;
  await podman.call({
    method: 'POST',
    path: '/networks/create',
    body: { name, driver: 'bridge', subnets: [{ subnet }], dns_enabled: false, options: { isolate: 'true' } },
  });
}

/** The IPv4 subnets of all networks of podman, whoever made them. */
export async function subnetsAt(podman: Libpod): Promise<readonly string[]> {
  const networks = await podman.call({ method: 'GET', path: '/networks/json' });
  return listAt({ networks }, 'networks')
    .flatMap((network) => listAt(network, 'subnets'))
    .map((one) => textAt(one, 'subnet'))
    .filter((subnet) => /^[\d.]+\/\d+$/.test(subnet));
}
