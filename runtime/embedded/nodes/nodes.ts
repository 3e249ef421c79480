import type { Change, Store, Stored } from '../store.ts';
import { type ClusterOptions, marksOf } from '../surroundings.ts';
import { type Agenda, createAgenda } from './agenda.ts';
import { type Clock, systemClock } from './clock.ts';
import { createEvents } from './events.ts';
import { createJobController } from './jobs.ts';
import type { Kubelet, KubeletWorld } from './kubelet.ts';
import { createLedger } from './ledger.ts';
import { createOwned } from './owned.ts';
import { createPodAddresses } from './podAddresses.ts';
import { claimShelf } from './podClaims.ts';
import type { ExecMode } from './podProcesses.ts';
import { createPodRunner } from './pods.ts';
import { type Pod, bucket, controllerOf, isOver, keyOf } from './shapes.ts';
import { createSimulatedKubelet } from './simulatedKubelet.ts';
import { createTtl } from './ttl.ts';

export interface NodesOptions extends Pick<ClusterOptions, 'names' | 'log'> {
  /** `manual`: scheduler, kubelet and Job controller are off. */
  readonly mode: 'simulated' | 'manual' | 'podman';
  readonly clock?: Clock;
  readonly exec?: ExecMode;
  /** Whether a simulated Job that succeeded is awaited by who leaves behind what it is for; none is, by default. */
  readonly isAwaited?: (job: Stored) => boolean;
  /** The kubelet that really runs containers; without one they are acted out. */
  readonly kubelet?: (world: KubeletWorld) => Kubelet;
}

export interface Nodes extends Pick<Kubelet, 'podLogs' | 'podProcesses' | 'usage'> {
  readonly stop: () => Promise<void>;
}

/** The work queues to which changes are added. */
interface Agendas {
  readonly ttl: Agenda;
  readonly nodes: Agenda;
  readonly pods: Agenda | null;
  readonly jobs: Agenda | null;
}

const retryWaitingMs = 200;
const everything = 'all';

/** Runs nodes on a store: scheduler, kubelet, Job controller, the end of finished Jobs, logs. */
export function startNodes(store: Store, options: NodesOptions): Nodes {
  const { mode, clock = systemClock, exec = 'simulated', names, log } = options;
  const isAwaited = (mode === 'simulated' && options.isAwaited) || (() => false);
  const events = createEvents(store, clock);
  const owned = createOwned(store);
  const ledger = createLedger();
  const addresses = createPodAddresses();
  const waiting = new Set<string>();
  const lacking = new Set<string>();

  const agenda = (part: string, reconcile: (key: string) => Promise<number | null>) =>
    createAgenda(clock, reconcile, (key, why, times) => {
      // The first failure is most often a change that came in between.
      if (times > 1) log('warn', 'a reconciliation failed', { part, key, times, why: String(why) });
    });
  const nodesAgenda = agenda('nodes', async () => {
    await kubelet.syncNodes();
    return null;
  });
  const world: KubeletWorld = {
    store,
    marks: marksOf(names),
    clock,
    events,
    owned,
    addresses,
    lacking,
    log,
    ask: (key) => agendas.pods?.ask(key),
    askNodes: () => nodesAgenda.ask(everything),
  };
  const kubelet = options.kubelet?.(world) ?? createSimulatedKubelet(world, { exec, names });
  const runs = mode !== 'manual';
  const { backoffSeconds } = kubelet;
  const agendas: Agendas = {
    ttl: agenda('ttl', createTtl(store, clock)),
    nodes: nodesAgenda,
    pods: runs ? agenda('pods', createPodRunner({ store, clock, events, ledger, kubelet, waiting, lacking })) : null,
    jobs: runs ? agenda('jobs', createJobController({ store, clock, events, owned, backoffSeconds, isAwaited })) : null,
  };

  let cancelRetry: (() => void) | null = null;
  /** Pods that found no node are tried together, however much changed. */
  function retryWaiting() {
    if (waiting.size === 0) return;
    cancelRetry ??= clock.at(clock.now() + retryWaitingMs, () => {
      cancelRetry = null;
      for (const key of waiting) agendas.pods?.ask(key);
    });
  }

  /** A Secret or a ConfigMap may be what pods of its namespace wait for. */
  function retryLacking({ metadata: { namespace = '' } }: Stored) {
    for (const key of lacking) if (key.startsWith(`${namespace}/`)) agendas.pods?.ask(key);
  }

  function podChanged(pod: Pod, gone: boolean) {
    const { uid } = pod.metadata;
    if (gone) {
      owned.drop(pod);
      addresses.drop(uid);
    } else {
      owned.put(pod);
      addresses.put(pod);
    }
    if (gone ? ledger.drop(uid) : ledger.put(pod)) retryWaiting();
    if (gone || !isOver(pod) || pod.metadata.deletionTimestamp !== undefined) agendas.pods?.ask(keyOf(pod));
    const owner = controllerOf(pod);
    if (owner?.kind === 'Job') agendas.jobs?.ask(`${pod.metadata.namespace ?? ''}/${owner.name}`);
  }

  function changed(change: Change) {
    const { type, bucket: where, object } = change;
    switch (where) {
      case bucket.pods:
        podChanged(object as Pod, type === 'DELETED');
        return kubelet.heard(change);
      case bucket.jobs:
        agendas.ttl.ask(keyOf(object));
        return agendas.jobs?.ask(keyOf(object));
      case bucket.nodes:
        if (type !== 'MODIFIED') for (const pod of ledger.podsOn(object.metadata.name)) agendas.pods?.ask(keyOf(pod));
        if (type === 'DELETED') agendas.nodes.ask(everything);
        return retryWaiting();
      case bucket.configMaps:
      case bucket.secrets:
        kubelet.heard(change);
        return retryLacking(object);
      case claimShelf:
        return retryWaiting();
      default:
        return kubelet.heard(change);
    }
  }

  /** An unreadable object must not stop the store's notifications. */
  function heard(change: Change) {
    try {
      changed(change);
    } catch (why) {
      const { bucket, object } = change;
      log('warn', 'an object cannot be read', { bucket, key: keyOf(object), why: String(why) });
    }
  }

  const unsubscribe = store.onChange(heard);
  for (const found of [bucket.pods, bucket.jobs])
    for (const object of store.list(found)) heard({ type: 'ADDED', bucket: found, object });

  return {
    podLogs: kubelet.podLogs,
    podProcesses: kubelet.podProcesses,
    usage: kubelet.usage,
    async stop() {
      unsubscribe();
      cancelRetry?.();
      await kubelet.stop();
      await Promise.all(Object.values(agendas).map((one: Agenda | null) => one?.stop() ?? Promise.resolve()));
      await events.settled();
    },
  };
}
