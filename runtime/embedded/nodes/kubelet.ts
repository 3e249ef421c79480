import type { PodLogs } from '../api/podLogs.ts';
import type { PodProcesses } from '../api/podProcesses.ts';
import type { PodUsage } from '../api/podUsage.ts';
import type { Change, Store } from '../store.ts';
import type { Log, Marks } from '../surroundings.ts';
import type { Clock } from './clock.ts';
import type { Events } from './events.ts';
import type { Owned } from './owned.ts';
import type { PodAddresses } from './podAddresses.ts';
import type { Node, Pod } from './shapes.ts';
import type { UsageRing } from './usage/usageRing.ts';

/** What runs the pods of nodes: the simulation, or podman. The scheduler and the ledger serve both. */
export interface Kubelet {
  /** The Nodes whose pods it runs. */
  readonly nodes: () => readonly Node[];
  /** Makes its Nodes what they should be. */
  readonly syncNodes: () => Promise<void>;
  /** The pod as the write that places it on its node leaves it. */
  readonly placed: (pod: Pod) => Pod;
  /** Brings a pod that has a node forward; resolves to the time, in ms since the epoch, at which to sync it again. */
  readonly sync: (key: string, pod: Pod) => Promise<number | null>;
  /** Brings a pod that was asked to end forward; resolves as `sync` does. */
  readonly end: (pod: Pod) => Promise<number | null>;
  readonly heard: (change: Change) => void;
  /** The wait before a failed pod of a Job is replaced, before it is doubled. */
  readonly backoffSeconds: () => number;
  readonly podLogs: PodLogs;
  readonly podProcesses: PodProcesses;
  /** What its pods really use; null where they use nothing. */
  readonly usage: { readonly usage: PodUsage; readonly ring: UsageRing } | null;
  readonly stop: () => Promise<void>;
}

/** What the cluster gives a kubelet. */
export interface KubeletWorld {
  readonly store: Store;
  readonly marks: Marks;
  readonly clock: Clock;
  readonly events: Events;
  readonly owned: Owned;
  readonly addresses: PodAddresses;
  /** The keys of the pods that wait for a Secret or a ConfigMap. */
  readonly lacking: Set<string>;
  readonly log: Log;
  /** Asks to sync a pod. */
  readonly ask: (key: string) => void;
  /** Asks to sync the Nodes. */
  readonly askNodes: () => void;
}
