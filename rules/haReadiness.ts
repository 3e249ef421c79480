import type { ClusterNode } from './capacity.ts';
import type { Verdict } from './condition.ts';
import { isDeleting } from './deleting.ts';

/** The nodes that high availability needs (document 001, Errors). */
const haNodes = 3;

const pressures: readonly string[] = ['MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** Whether a node counts for high availability: Ready, schedulable, no pressure. */
const isHealthyNode = ({ metadata, spec, status }: ClusterNode): boolean => {
  const conditions = status?.conditions ?? [];
  const holds = (types: readonly string[]) =>
    conditions.some(({ type, status: is }) => types.includes(type) && is === 'True');
  const isGoing = isDeleting({ metadata }) || spec?.unschedulable === true;
  return !isGoing && holds(['Ready']) && !holds(pressures);
};

export const healthyNodesOf = (nodes: readonly ClusterNode[]): number => nodes.filter(isHealthyNode).length;

/** The verdict on a number of healthy nodes. */
export const haVerdict = (healthyNodes: number): Verdict => ({
  type: 'Ready',
  ...(healthyNodes >= haNodes ? { status: 'True', reason: 'EnoughNodes' } : { status: 'False', reason: 'TooFewNodes' }),
  message: `${healthyNodes} healthy nodes, of ${haNodes} that high availability takes`,
});
