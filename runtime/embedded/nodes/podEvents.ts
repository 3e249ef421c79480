import { isDeepStrictEqual } from 'node:util';
import type { Events } from './events.ts';
import { pullFailure, statusesOf } from './podStatus.ts';
import { type ContainerState, type ContainerStatus, type Pod, keyOf } from './shapes.ts';

type RecordEvent = (type: 'Normal' | 'Warning', reason: string, message: string) => void;

/** An event recorder for one container of a pod, as the kubelet of its node. */
function recorderFor(events: Events, pod: Pod, container: string): RecordEvent {
  const host = pod.spec?.nodeName ?? '';
  const fieldPath = `spec.${listOf(pod, container)}{${container}}`;
  return (type, reason, message) => events.record('kubelet', pod, { type, reason, message, fieldPath, host });
}

/** Records the events of containers that went from one status to the next, as a kubelet does. */
export function recordProgress(events: Events, before: Pod, after: Pod): void {
  const old = statusesOf(before.status);
  for (const status of statusesOf(after.status)) {
    const was = old.find(({ name }) => name === status.name);
    const record = recorderFor(events, after, status.name);
    if (status.containerID !== undefined && status.containerID !== was?.containerID) {
      for (const [reason, message] of pulled(after, status)) record('Normal', reason, message);
      record('Normal', 'Created', 'Container created');
      record('Normal', 'Started', 'Container started');
    }
    const held = heldBy(status);
    if (held !== null && !isDeepStrictEqual(held, heldBy(was))) recordHeld(record, status.image, held);
  }
  recordBackOff(events, before, after);
}

/** Records which containers came to wait until they are run again. */
export function recordBackOff(events: Events, before: Pod, after: Pod): void {
  const old = statusesOf(before.status);
  for (const status of statusesOf(after.status)) {
    const was = old.find(({ name }) => name === status.name);
    if (!backsOff(status) || (was && backsOff(was) && was.restartCount === status.restartCount)) continue;
    const where = `${after.metadata.name}_${keyOf(after).split('/', 1)[0]}(${after.metadata.uid})`;
    const message = `Back-off restarting failed container ${status.name} in pod ${where}`;
    recorderFor(events, after, status.name)('Warning', 'BackOff', message);
  }
}

/** Records why the volumes of a pod cannot be mounted. */
export const recordUnmounted = (events: Events, pod: Pod, message: string): void =>
  events.record('kubelet', pod, { type: 'Warning', reason: 'FailedMount', message, host: pod.spec?.nodeName ?? '' });

/** Records which containers of a deleted pod are stopped. */
export function recordKilling(events: Events, pod: Pod): void {
  for (const { name, state } of statusesOf(pod.status))
    if ('running' in state) recorderFor(events, pod, name)('Normal', 'Killing', `Stopping container ${name}`);
}

const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** The list of the pod's spec that a container stands in. */
const listOf = ({ spec }: Pod, name: string) =>
  lists.find((list) => spec?.[list]?.some((container) => container.name === name)) ?? 'containers';

/** The pull events of an image, by its container's pull policy; a simulated pull always succeeds. */
function pulled({ spec }: Pod, { name, image }: ContainerStatus): readonly (readonly [string, string])[] {
  const all = lists.flatMap((list) => spec?.[list] ?? []);
  const always = all.find((container) => container.name === name)?.imagePullPolicy === 'Always';
  if (!always)
    return [['Pulled', `Container image "${image}" already present on machine and can be accessed by the pod`]];
  return [
    ['Pulling', `Pulling image "${image}"`],
    ['Pulled', `Successfully pulled image "${image}" in 0s (0s including waiting). Image size: 0 bytes.`],
  ];
}

function recordHeld(record: RecordEvent, image: string, { reason, message = reason }: Waiting) {
  if (!reason.includes('ImagePull')) return record('Warning', 'Failed', `Error: ${message}`);
  record('Normal', 'Pulling', `Pulling image "${image}"`);
  record('Warning', 'Failed', `Failed to pull image "${image}": ${pullFailure}`);
  record('Warning', 'Failed', 'Error: ErrImagePull');
  record('Normal', 'BackOff', `Back-off pulling image "${image}"`);
  record('Warning', 'Failed', 'Error: ImagePullBackOff');
}

type Waiting = Extract<ContainerState, { readonly waiting: unknown }>['waiting'];

const heldBy = (status: ContainerStatus | undefined): Waiting | null =>
  status &&
  'waiting' in status.state &&
  status.containerID === undefined &&
  !coming.includes(status.state.waiting.reason)
    ? status.state.waiting
    : null;
const coming = ['PodInitializing', 'ContainerCreating'];
const backsOff = ({ state }: ContainerStatus) => 'waiting' in state && state.waiting.reason === 'CrashLoopBackOff';
