import type { Stored } from '../../store.ts';
import { at, listAt, numberAt, textAt } from '../json.ts';
import { age } from './age.ts';

const statuses = (pod: Stored) => listAt(pod, 'status', 'containerStatuses');
const isRunning = (status: unknown) => at(status, 'state', 'running') !== undefined;
const isReady = (status: unknown) => at(status, 'ready') === true;

export const podReady = (pod: Stored) =>
  `${statuses(pod).filter((one) => isReady(one) && isRunning(one)).length}/${listAt(pod, 'spec', 'containers').length}`;

/** How often containers were run again, and when last: those that come first while they are not all through. */
export function podRestarts(pod: Stored): string {
  const open = openInit(pod);
  const counted = open === null ? statuses(pod) : listAt(pod, 'status', 'initContainerStatuses').slice(0, open + 1);
  const count = counted.reduce<number>((sum, one) => sum + numberAt(one, 'restartCount'), 0);
  const ends = counted.map((one) => textAt(one, 'lastState', 'terminated', 'finishedAt')).filter((end) => end !== '');
  const last = ends.toSorted().at(-1);
  return count === 0 || last === undefined ? String(count) : `${count} (${age(last)} ago)`;
}

/** The one word that stands for a pod: its phase, or why a container waits or ended. */
export function podStatus(pod: Stored): string {
  if (pod.metadata.deletionTimestamp !== undefined) return 'Terminating';
  return (
    initStatus(pod) ??
    containerReason(pod) ??
    (textAt(pod, 'status', 'reason') || textAt(pod, 'status', 'phase') || 'Unknown')
  );
}

/** Which of the containers that come first is not through; null where all are, or the others have begun. */
function openInit(pod: Stored): number | null {
  const all = listAt(pod, 'status', 'initContainerStatuses');
  const index = all.findIndex((one) => at(one, 'state', 'terminated', 'exitCode') !== 0);
  const isInitialized = listAt(pod, 'status', 'conditions').some(
    (one) => textAt(one, 'type') === 'Initialized' && textAt(one, 'status') === 'True',
  );
  return index < 0 || isInitialized || textAt(pod, 'status', 'phase') === 'Succeeded' ? null : index;
}

function initStatus(pod: Stored): string | null {
  const index = openInit(pod);
  if (index === null) return null;
  const reason = reasonOf(listAt(pod, 'status', 'initContainerStatuses')[index]);
  return reason !== '' && reason !== 'PodInitializing'
    ? `Init:${reason}`
    : `Init:${index}/${listAt(pod, 'spec', 'initContainers').length}`;
}

function containerReason(pod: Stored): string | null {
  const reasons = statuses(pod).map(reasonOf);
  const first = reasons.find((reason) => reason !== '');
  if (first !== 'Completed' || !statuses(pod).some((one) => isReady(one) && isRunning(one))) return first ?? null;
  const conditions = listAt(pod, 'status', 'conditions');
  const isWhole = conditions.some((one) => textAt(one, 'type') === 'Ready' && textAt(one, 'status') === 'True');
  return isWhole ? 'Running' : 'NotReady';
}

function reasonOf(status: unknown): string {
  const waiting = textAt(status, 'state', 'waiting', 'reason');
  const terminated = at(status, 'state', 'terminated');
  if (waiting !== '' || terminated === undefined) return waiting;
  return textAt(terminated, 'reason') || `ExitCode:${numberAt(terminated, 'exitCode')}`;
}
