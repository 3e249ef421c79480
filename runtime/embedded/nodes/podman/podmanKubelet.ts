import { type Pod, bucket, isOver, keyOf } from '../shapes.ts';
import type { Kubelet, KubeletWorld } from '../kubelet.ts';
import type { Exit, PodProcesses } from '../../api/podProcesses.ts';
import { containerStatusOf } from '../../api/verbs/podContainer.ts';
import { at, listAt, textAt } from '../../api/json.ts';
import { BadData } from '../../badData.ts';
import type { Bucket, Change, Stored } from '../../store.ts';
import { whileContainerRuns } from '../whileContainerRuns.ts';
import { endBuilds } from './build/buildGroup.ts';
import { createCache, programPrefix } from './cache.ts';
import { attachTo, execIn, killSessionsOf } from './exec.ts';
import { type Folders, foldersIn } from './folders.ts';
import { createImageKeeper } from './imageKeeper.ts';
import { createImages } from './images.ts';
import { type Libpod, isAway, libpod, unlessAbsent, usualSilentMs } from './libpod.ts';
import { createLogs } from './logs.ts';
import { machineNodes } from '../retired.ts';
import { machineAddress, syncMachineNode } from './machineNode.ts';
import { createBridges, type PodNetwork, subnetsAt } from './network.ts';
import { listen } from './podmanEvents.ts';
import { createPodRuns } from './podRuns.ts';
import { type Machine, faultOfUser, machineOf, probe } from './probe.ts';
import { createProbes } from './probes.ts';
import { createProgramRuns } from './programRuns.ts';
import type { NodeParts, Programs } from './programs.ts';
import { createNodeUsage } from './usage.ts';
import { podmanSocket } from './service.ts';
import { type TokenOf, createVolumes, volumeNamed } from './volumes.ts';
import type { PodmanWorld } from './world.ts';

/** podman on this machine, found to run containers. */
export interface OpenedPodman {
  readonly podman: Libpod;
  readonly machine: Machine;
  readonly folders: Folders;
  /** Starts podman's service again where it is one of our own and has died. */
  readonly revive: () => Promise<void>;
}

export interface PodmanOptions {
  readonly dataDir: string;
  readonly socket?: string | undefined;
}

/** Finds podman, or starts its service, and tries it; rejects with what is missing and what helps. */
export async function openPodman({ dataDir, socket }: PodmanOptions): Promise<OpenedPodman> {
  const fault = faultOfUser(process.getuid?.());
  if (fault !== null) throw new BadData(fault);
  const folders = foldersIn(dataDir);
  const service = { socket, folder: folders.service };
  const podman = libpod(await podmanSocket(service));
  const revive = async () => {
    if (podman.socket.startsWith(`${folders.service}/`)) await podmanSocket(service);
  };
  const machine = await machineOf(podman);
  await probe(podman);
  await endBuilds(folders.id);
  return { podman, machine, folders, revive };
}

/** What may be different from one installation to the next. */
export interface PodmanParts {
  /** The programs that the node runs itself, for the podman and the data directory that it has. */
  readonly programs?: (node: NodeParts) => Programs;
  /** The kinds whose objects name images that are kept, beside those that run containers. */
  readonly imageHolders?: readonly Bucket[];
  readonly network?: (
    world: Pick<PodmanWorld, 'podman' | 'store' | 'addresses'> & { readonly cluster: string },
  ) => PodNetwork;
  readonly tokenOf?: TokenOf;
}

const usualGraceSeconds = 30;
/** How often it is looked whether a token is to be replaced. */
const renewMs = 60_000;

/** Runs pods in containers of podman. */
export function createPodmanKubelet(
  given: KubeletWorld,
  { podman, machine, folders, revive }: OpenedPodman,
  { programs = () => new Map(), imageHolders = [], network = createBridges, tokenOf = () => null }: PodmanParts = {},
): Kubelet {
  const { store, marks, clock, log, ask } = given;
  const cache = createCache(podman, folders.id);
  const keeper = createImageKeeper({ podman, store, clock, log, file: folders.images, holders: imageHolders });
  const { bring } = keeper;
  const world: PodmanWorld = {
    ...given,
    podman,
    storage: machine.storage,
    cache,
    folders,
    programs: programs({ podman, owner: folders.id, bring }),
    images: createImages({ podman, store, now: clock.now, bring, settled: ask }),
    volumes: createVolumes({ store, folders, tokenOf, now: clock.now }),
    network: network({ podman, store, addresses: given.addresses, cluster: folders.id }),
  };
  const programRuns = createProgramRuns(world);
  const probes = createProbes(world, async (run, { spec }, graceSeconds) => {
    const seconds = graceSeconds ?? Number(at(spec, 'terminationGracePeriodSeconds') ?? usualGraceSeconds);
    const query = { timeout: String(seconds) };
    const silentMs = usualSilentMs + seconds * 1_000;
    await podman.call({ method: 'POST', path: `/containers/${run.id}/stop`, query, silentMs });
  });
  const runs = createPodRuns({ ...world, programRuns, probes, hostIp: machineAddress });
  const logs = createLogs({ store, folders });
  const { usage, ring, ...reading } = createNodeUsage({ ...world, node: machine.hostname });
  const podAt = (uid: string) =>
    (store.list(bucket.pods) as readonly Pod[]).find(({ metadata }) => metadata.uid === uid);

  /** Reads what is there, and lets everybody look: what ended meanwhile, and what belongs to no pod. */
  let first = true;
  async function reload() {
    const uids = await cache.load();
    for (const uid of uids) await adopt(uid);
    for (const uid of first ? folders.pods() : []) if (!podAt(uid)) folders.remove(uid);
    if (first) tellStrangers();
    const isFirst = first;
    first = false;
    for (const pod of store.list(bucket.pods) as readonly Pod[])
      if (!isOver(pod) && pod.spec?.nodeName === machine.hostname) ask(keyOf(pod));
    ready();
    if (isFirst && !stopped) reading.start();
  }

  async function adopt(uid: string) {
    const seen = cache.of(uid);
    const pod = podAt(uid);
    if (!pod) return runs.remove(uid);
    if (isOver(pod)) return runs.tidy(pod);
    if (seen?.sandbox) given.addresses.take(uid, seen.sandbox.address);
    if (first)
      for (const { id, state } of seen?.containers ?? []) if (state === 'running') await killSessionsOf(podman, id);
  }

  function tellStrangers() {
    for (const [id, count] of cache.strangers())
      log('warn', 'podman runs pods of another data directory; left unmanaged', {
        dataDirectory: id,
        pods: count,
      });
  }

  let stopped = false;
  let ready: () => void = () => {};
  const isReady = new Promise<void>((done) => (ready = done));

  given.askNodes();
  const unlisten = listen({
    podman,
    cluster: folders.id,
    revive,
    reload,
    changed: async ({ uid, id, isContainer, exitCode }) => {
      if (isContainer) await cache.refreshContainer(uid, id, exitCode);
      else if (cache.of(uid)?.sandbox) await cache.refreshSandbox(uid, cache.of(uid)?.sandbox?.id ?? '');
      const pod = podAt(uid);
      if (pod) ask(keyOf(pod));
    },
    failed: (why, times) => {
      if (times > 1 || !isAway(why)) log('warn', 'podman event stream failed', { times, why: String(why) });
    },
  });

  function heard(change: Change) {
    const { type, bucket: where, object } = change;
    keeper.heard(change);
    if (where === bucket.pods && type === 'DELETED') void gone(object);
    if (where === bucket.configMaps || where === bucket.secrets) refill(object);
    if (where === '/persistentvolumes' && type === 'DELETED') void dropVolume(object);
  }

  /** A pod that was removed without waiting for its end is ended now. */
  async function gone({ metadata: { uid } }: Stored) {
    probes.drop(uid);
    await runs.remove(uid).catch((why: unknown) => log('warn', 'failed to remove pod', { uid, why: String(why) }));
  }

  /** The data of a claim goes with its volume, unless that is to be kept. */
  async function dropVolume(volume: Stored) {
    if (textAt(volume, 'spec', 'persistentVolumeReclaimPolicy') !== 'Delete') return;
    const path = `/volumes/${volumeNamed(folders.id, volume.metadata.name)}`;
    await unlessAbsent(podman.call({ method: 'DELETE', path })).catch((why: unknown) =>
      log('warn', 'failed to remove volume', { volume: volume.metadata.name, why: String(why) }),
    );
  }

  /** What is mounted follows the object that it comes from. */
  function refill({ metadata: { namespace } }: Stored) {
    for (const pod of store.list(bucket.pods, namespace) as readonly Pod[])
      if (!isOver(pod) && cache.of(pod.metadata.uid)?.sandbox) world.volumes.make(pod);
  }

  const renewing = setInterval(() => {
    for (const pod of store.list(bucket.pods) as readonly Pod[])
      if (!isOver(pod) && cache.of(pod.metadata.uid)?.sandbox) world.volumes.renew(pod);
  }, renewMs);

  const runIdOf = (pod: Stored, name: string) =>
    textAt(containerStatusOf(pod, name), 'containerID').replace(/^podman:\/\//, '');
  const inContainer = (run: (id: string) => Promise<Exit>, pod: Stored, name: string): Promise<Exit> => {
    const id = runIdOf(pod, name);
    if (id === '' || id.startsWith(programPrefix))
      return Promise.resolve({
        is: 'failed',
        why: `the container ${name} is a program of the node: nothing else runs in it`,
      });
    return run(id).catch((why: unknown) => ({ is: 'failed', why: why instanceof Error ? why.message : String(why) }));
  };
  const podProcesses: PodProcesses = {
    exec: (pod, name, { command, stdio }) =>
      whileContainerRuns(store, { pod, name }, stdio, (within) =>
        inContainer((id) => execIn(podman, id, { command, stdio: within }), pod, name),
      ),
    attach: async (pod, name, stdio) => {
      const exit = await whileContainerRuns(store, { pod, name }, stdio, (within) =>
        inContainer((id) => attachTo(podman, id, { ...within, tty: isTerminal(pod, name) }), pod, name),
      );
      // However the container ended, whoever is attached to it did so in order: the status tells the code.
      return exit.is === 'exited' ? { is: 'exited', code: 0 } : exit;
    },
  };

  return {
    nodes: () => machineNodes(store, marks),
    syncNodes: () => syncMachineNode({ store, marks, machine, now: clock.now(), subnets: () => subnetsAt(podman) }),
    placed: runs.placed,
    sync: async (key, pod) => {
      await isReady;
      return !stopped && pod.spec?.nodeName === machine.hostname ? runs.look(key, pod) : null;
    },
    end: async (pod) => {
      await isReady;
      return stopped ? null : runs.end(pod);
    },
    heard,
    backoffSeconds: () => 10,
    podLogs: logs,
    podProcesses,
    usage: { usage, ring },
    async stop() {
      stopped = true;
      clearInterval(renewing);
      unlisten();
      reading.stop();
      keeper.stop();
      ready();
      probes.stop();
      logs.stop();
      await programRuns.stopAll();
      podman.close();
    },
  };
}

const isTerminal = (pod: Stored, name: string): boolean => {
  const lists = ['initContainers', 'containers'].flatMap((list) => listAt(pod, 'spec', list));
  return lists.some((one) => textAt(one, 'name') === name && at(one, 'tty') === true);
};
