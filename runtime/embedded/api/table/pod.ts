import type { Stored } from '../../store.ts';
import { at, listAt, numberAt, textAt } from '../json.ts';

const statuses = (pod: Stored) => listAt(pod, 'status', 'containerStatuses');

export const podReady = (pod: Stored) =>
  `${statuses(pod).filter((one) => at(one, 'ready') === true).length}/${listAt(pod, 'spec', 'containers').length}`;

export const podRestarts = (pod: Stored) =>
  statuses(pod).reduce<number>((sum, one) => sum + numberAt(one, 'restartCount'), 0);

/** The one word that stands for a pod: its phase, or why a container waits or ended. */
export function podStatus(pod: Stored): string {
  if (pod.metadata.deletionTimestamp !== undefined) return 'Terminating';
  return (
    initStatus(pod) ??
    containerReason(pod) ??
    (textAt(pod, 'status', 'reason') || textAt(pod, 'status', 'phase') || 'Unknown')
  );
}

function initStatus(pod: Stored): string | null {
  const all = listAt(pod, 'status', 'initContainerStatuses');
  const index = all.findIndex((one) => at(one, 'state', 'terminated', 'exitCode') !== 0);
  const open = all[index];
  if (open === undefined || textAt(pod, 'status', 'phase') === 'Succeeded') return null;
  const reason = reasonOf(open);
  return reason !== '' && reason !== 'PodInitializing'
    ? `Init:${reason}`
    : `Init:${index}/${listAt(pod, 'spec', 'initContainers').length}`;
}

function containerReason(pod: Stored): string | null {
  const reasons = statuses(pod).map(reasonOf);
  const first = reasons.find((reason) => reason !== '');
  const running = statuses(pod).some((one) => at(one, 'state', 'running') !== undefined);
  return first === 'Completed' && running ? 'Running' : (first ?? null);
}

function reasonOf(status: unknown): string {
  const waiting = textAt(status, 'state', 'waiting', 'reason');
  const terminated = at(status, 'state', 'terminated');
  if (waiting !== '' || terminated === undefined) return waiting;
  return textAt(terminated, 'reason') || `ExitCode:${numberAt(terminated, 'exitCode')}`;
}
