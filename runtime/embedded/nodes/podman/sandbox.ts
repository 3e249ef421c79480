import { at } from '../../api/json.ts';
import { type Node, type Pod, bucket } from '../shapes.ts';
import { hostNamesOf } from './hosts.ts';
import { label } from './labels.ts';
import { idOf, unlessAbsent } from './libpod.ts';
import type { Sandbox } from './seen.ts';
import type { PodmanWorld } from './world.ts';

type World = Pick<PodmanWorld, 'store' | 'podman' | 'cache' | 'folders' | 'network'>;

/** The name of a pod at podman, for people: two of one name are told apart by their uid. */
export const podmanName = ({ metadata: { namespace = '', name, uid } }: Pod) =>
  `${namespace}_${name}_${uid.slice(0, 8)}`.slice(0, 200);

/** The labels of all that is made for a pod. */
export const labelsOf = ({ metadata: { namespace = '', name, uid } }: Pod, cluster: string) => ({
  [label.cluster]: cluster,
  [label.namespace]: namespace,
  [label.pod]: name,
  [label.uid]: uid,
});

/** The pod of podman in which the containers of a pod run; one that does not run any more makes place for a new one. */
export async function ensureSandbox(world: World, pod: Pod): Promise<Sandbox> {
  const { store, podman, cache, folders, network } = world;
  const { uid } = pod.metadata;
  const found = cache.of(uid)?.sandbox ?? null;
  if (found?.running === true) return found;
  if (found) await removeSandbox(world, uid, found.id);
  const name = pod.spec?.nodeName ?? '';
  const node = store.get({ bucket: bucket.nodes, namespace: '', name }) as Node | undefined;
  const { network: bridge, address, dns } = await network.join(pod, node);
  const { short, whole } = hostNamesOf(pod);
  const body = {
    name: podmanName(pod),
    hostname: at(pod, 'spec', 'setHostnameAsFQDN') === true ? (whole ?? short) : short,
    labels: { ...labelsOf(pod, folders.id), [label.address]: address },
    shared_namespaces: ['ipc', 'net', 'uts'],
    exit_policy: 'continue',
    netns: { nsmode: 'bridge' },
    Networks: { [bridge]: { static_ips: [address] } },
    ...(dns && { dns_server: dns.servers, dns_search: dns.searches, dns_option: dns.options }),
  };
  try {
    const id = idOf(await podman.call({ method: 'POST', path: '/pods/create', body }));
    await podman.call({ method: 'POST', path: `/pods/${id}/start` });
    // To ask for what is known takes as long as a start; what becomes of it is told as an event.
    const sandbox = { id, running: true, address };
    cache.putSandbox(uid, body.labels, sandbox);
    return sandbox;
  } catch (why) {
    // One that was made and does not run would keep its name from the next.
    await removeSandbox(world, uid, body.name).catch(() => {});
    throw why;
  }
}

/** Removes a pod of podman with all that runs in it. */
export async function removeSandbox({ podman, cache }: Pick<World, 'podman' | 'cache'>, uid: string, id: string) {
  await unlessAbsent(podman.call({ method: 'DELETE', path: `/pods/${id}`, query: { force: 'true', timeout: '0' } }));
  for (const container of cache.of(uid)?.containers ?? []) cache.forgetContainer(uid, container.id);
  await cache.refreshSandbox(uid, id);
}
