import type { ClusterShape } from '../../../runtime/services/cluster/cluster.ts';
import { withCallFault } from './calls.ts';
import { withEventFault } from './events.ts';
import type { CallFault, EventFault, Fault } from './fault.ts';
import { type Remembers, withListFault } from './lists.ts';
import { withWatchFault } from './watches.ts';
import { withWebhookFault } from './webhook.ts';

/** A cluster with faults, and how often each of them took effect: a fault that never did makes a plan vacuous. */
export interface Faulty {
  readonly cluster: ClusterShape;
  readonly touched: () => readonly { readonly fault: Fault; readonly times: number }[];
}

const callFaults: readonly Fault['is'][] = ['conflict', 'refuse', 'timeOut', 'loseAnswer', 'slow'];
const isCallFault = (fault: Fault): fault is CallFault => callFaults.includes(fault.is);

const withFault = (cluster: ClusterShape, fault: Fault, told: Remembers & { readonly touch: () => void }) => {
  if (fault.is === 'staleList') return withListFault(cluster, fault, told);
  if (fault.is === 'goneWatch' || fault.is === 'relist') return withWatchFault(cluster, fault, told.touch);
  if (fault.is === 'webhook' || fault.is === 'webhookAway') return withWebhookFault(cluster, fault, told.touch);
  if (isCallFault(fault)) return withCallFault(cluster, fault, told.touch);
  return withEventFault(cluster, fault satisfies EventFault, told.touch);
};

/** The cluster with these faults; each counts what the earlier ones let through. */
export function withFaults(cluster: ClusterShape & Remembers, faults: readonly Fault[]): Faulty {
  const times = new Map<Fault, number>();
  const { past } = cluster;
  const faulty = faults.reduce<ClusterShape>(
    (under, fault) =>
      withFault(under, fault, { past, touch: () => void times.set(fault, (times.get(fault) ?? 0) + 1) }),
    cluster,
  );
  return { cluster: faulty, touched: () => faults.map((fault) => ({ fault, times: times.get(fault) ?? 0 })) };
}
