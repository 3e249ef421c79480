import { type Pod, isOver } from './shapes.ts';

const readyCondition = ({ status }: Pod) =>
  status?.conditions?.find(({ type, status }) => type === 'Ready' && status === 'True');

/** Whether a pod says that it is ready. */
export const isReady = (pod: Pod): boolean => readyCondition(pod) !== undefined;

/** Since when a pod is ready; Infinity while it is not. */
export function readySince(pod: Pod): number {
  const ready = readyCondition(pod);
  if (!ready) return Infinity;
  const since = Date.parse(ready.lastTransitionTime ?? '');
  return Number.isNaN(since) ? 0 : since;
}

/** A pod that may still do its work: not over, and nobody asked it to end. */
export const isActive = (pod: Pod): boolean => !isOver(pod) && pod.metadata.deletionTimestamp === undefined;
