import { at, listAt, textAt } from '../../api/json.ts';
import { type PodAddresses, isBeside, partsOf } from '../podAddresses.ts';
import type { Store } from '../../store.ts';
import type { Node, Pod } from '../shapes.ts';
import { label } from './labels.ts';
import { type Libpod, labelled } from './libpod.ts';
import { type Resolver, resolverOf } from './resolver.ts';

/** Where a pod is joined to: a bridge of podman's, the address there, and how it resolves names. */
export interface Joined {
  readonly network: string;
  readonly address: string;
  readonly dns?: Resolver;
}

/** Chooses the network of pods. */
export interface PodNetwork {
  /** Makes the bridge of a pod where it is not there, and chooses its address. */
  readonly join: (pod: Pod, node: Node | undefined) => Promise<Joined>;
  /** Waits until nobody new is led to a pod that is about to end. */
  readonly left: (pod: Pod) => Promise<void>;
}

interface World {
  readonly podman: Libpod;
  readonly store: Pick<Store, 'get'>;
  readonly cluster: string;
  readonly addresses: PodAddresses;
}

/** Who leads to pods, and answers for their names. */
export interface Led {
  /** Null where nobody answers for names. */
  readonly dnsAddress: string | null;
  /** Waits until the policies hold of a pod that is about to have an address. */
  readonly joined: (pod: Pod, address: string) => Promise<void>;
  readonly left: PodNetwork['left'];
}

const nobody: Led = { dnsAddress: null, joined: () => Promise.resolve(), left: () => Promise.resolve() };

/** Room for some sixty pods in each of as many namespaces. */
const partLength = 26;

interface Bridge {
  readonly name: string;
  readonly range: string;
}

/** A bridge for each namespace with a part of the node's range: pods of different ones reach each other by Services. */
export function createBridges({ podman, store, cluster, addresses }: World, led = nobody): PodNetwork {
  let turn: Promise<unknown> = Promise.resolve();
  /** One bridge at a time: two namespaces never choose the same part. */
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const done = turn.then(act, act);
    turn = done.catch(() => {});
    return done;
  };

  async function bridgeOf(namespace: string, range: string): Promise<Bridge> {
    const there = await bridgesOf(podman, cluster);
    const found = there.get(namespace);
    if (found) return found;
    const kept = await withoutAbandoned(there);
    // Another server on the same podman may have chosen the same range before either had a bridge in it.
    const taken = [...[...kept.values()].map((one) => one.range), ...(await subnetsAt(podman))];
    for (const part of partsOf(range, partLength)) {
      const made = isBeside(part, taken) ? await madeIn(namespace, part) : null;
      if (made) return made;
    }
    throw new Error('all networks of the node are taken by other namespaces');
  }

  /** Null where something on the machine has addresses of the range, such as a bridge that was removed only in part. */
  const madeIn = (namespace: string, range: string): Promise<Bridge | null> =>
    makeBridge(podman, { cluster, namespace, range }).catch((why: unknown) => {
      if (/already used/.test(String(why))) return null;
      throw why;
    });

  /** The bridges of namespaces that are gone make room for others, once no container is joined to them. */
  async function withoutAbandoned(there: ReadonlyMap<string, Bridge>): Promise<ReadonlyMap<string, Bridge>> {
    const kept = new Map(there);
    for (const [namespace, { name }] of there) {
      if (store.get({ bucket: '/namespaces', namespace: '', name: namespace })) continue;
      const isGone = await podman.call({ method: 'DELETE', path: `/networks/${name}` }).then(
        () => true,
        () => false,
      );
      if (isGone) kept.delete(namespace);
    }
    return kept;
  }

  return {
    async join(pod, node) {
      const { uid, namespace = '' } = pod.metadata;
      const whole = node?.spec?.podCIDR;
      if (node === undefined || whole === undefined) throw new Error('the node has no range of addresses');
      const bridge = await inTurn(() => bridgeOf(namespace, whole));
      const address = addresses.of(uid, { ...node, spec: { ...node.spec, podCIDR: bridge.range } });
      if (address === undefined) throw new Error(`the network of ${namespace} has no free address`);
      await led.joined(pod, address);
      return { network: bridge.name, address, ...resolverOf(pod, led.dnsAddress) };
    },
    left: led.left,
  };
}

/** The bridges of a data directory, by namespace. */
async function bridgesOf(podman: Libpod, cluster: string): Promise<ReadonlyMap<string, Bridge>> {
  const query = { filters: labelled({ [label.cluster]: cluster }) };
  const found = (await podman.call({ method: 'GET', path: '/networks/json', query })) as readonly unknown[] | null;
  const named = (found ?? []).map((one): readonly [string, Bridge] => [
    String(at(one, 'labels', label.namespace)),
    { name: textAt(one, 'name'), range: textAt(listAt(one, 'subnets')[0], 'subnet') },
  ]);
  return new Map(named);
}

interface Made {
  readonly cluster: string;
  readonly namespace: string;
  readonly range: string;
}

/** A bridge that pods of other bridges cannot reach: it holds between two that both ask for it. */
async function makeBridge(podman: Libpod, { cluster, namespace, range }: Made): Promise<Bridge> {
  const name = `core-${cluster}-${namespace}`;
  const body = {
    name,
    driver: 'bridge',
    subnets: [{ subnet: range }],
    dns_enabled: false,
    labels: { [label.cluster]: cluster, [label.namespace]: namespace },
    options: { isolate: 'true' },
  };
  await podman.call({ method: 'POST', path: '/networks/create', body });
  return { name, range };
}

/** The IPv4 subnets of all networks of podman, whoever made them. */
export async function subnetsAt(podman: Libpod): Promise<readonly string[]> {
  const networks = await podman.call({ method: 'GET', path: '/networks/json' });
  return listAt({ networks }, 'networks')
    .flatMap((network) => listAt(network, 'subnets'))
    .map((one) => textAt(one, 'subnet'))
    .filter((subnet) => /^[\d.]+\/\d+$/.test(subnet));
}
