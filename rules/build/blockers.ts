import type { ContainerStatus, KubeEvent, Pod } from '../../crds/builtIn.ts';
import { annotation } from '../../crds/names.ts';
import { newestFirst } from '../newest.ts';
import { createdAtMs, msOf } from '../time.ts';
import { joined, open, sentence, toObservers, toViewers, type Message } from '../words.ts';

/**
 * What blocks a builder Job, with the message of the component that reports it. A field is empty when there is nothing
 * to report.
 */
export interface Blocker {
  readonly is: 'unplaced' | 'waits' | 'ended' | 'refused' | 'notOwn';
  readonly pod: string;
  readonly container: string;
  readonly reason: string;
  readonly says: string;
}

export interface RunSeen {
  readonly run: string;
  /** Empty once the Job is gone. */
  readonly jobUid: string;
  /** Every pod with the label of the Job's name. */
  readonly pods: readonly Pod[];
  /** Events about volumes that cannot be mounted, and about pods that cannot be created. */
  readonly mounts: readonly KubeEvent[];
  readonly refusals: readonly KubeEvent[];
}

const nothing = { pod: '', container: '', reason: '', says: '' } as const;

/** The pods of a run's Job, newest first. */
export const podsOfJob = (seen: Pick<RunSeen, 'run' | 'jobUid' | 'pods'>): readonly Pod[] =>
  seen.pods.filter((pod) => missingOn(pod, seen).length === 0).toSorted(newestFirst);

/** What blocks a run: the waiting reason or failure of its newest pod, otherwise why its Job has no pod. */
export function blockerOf(seen: RunSeen): Blocker | null {
  const own = podsOfJob(seen);
  const [newest] = own;
  const refused = refusedSince(seen, newest);
  if (refused !== null) return refused;
  if (newest === undefined) return unmanagedPod(seen);
  return blockerOfPod(newest, seen.mounts) ?? own.map(endOf).find((end) => end !== null) ?? null;
}

/** The ownership marks of the Job that this pod lacks. A deleted Job owns no pod by its uid. */
function missingOn({ metadata }: Pod, { run, jobUid }: Pick<RunSeen, 'run' | 'jobUid'>): readonly string[] {
  const isOwned = jobUid === '' || (metadata.ownerReferences ?? []).some(({ uid }) => uid === jobUid);
  return [
    ...(isOwned ? [] : [`an owner reference to the Job with the uid ${jobUid}`]),
    ...(metadata.annotations?.[annotation.run] === run ? [] : [`the annotation ${annotation.run}: ${run}`]),
  ];
}

/** Finds a pod meant for this run's Job that lacks its ownership marks; pods of an earlier run do not count. */
function unmanagedPod(seen: RunSeen): Blocker | null {
  const unmanaged = seen.pods
    .filter(({ metadata }) => createdAtMs({ metadata }) >= Math.floor(msOf(seen.run) / 1000) * 1000)
    .toSorted(newestFirst)[0];
  if (!unmanaged) return null;
  return { ...nothing, is: 'notOwn', pod: unmanaged.metadata.name, says: missingOn(unmanaged, seen).join(' and ') };
}

const reportedAt = ({ lastTimestamp, eventTime, metadata }: KubeEvent) =>
  msOf(lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '') || 0;
const newestOf = (events: readonly KubeEvent[], uid: string | undefined) =>
  uid === undefined || uid === ''
    ? undefined
    : events
        .filter(({ involvedObject }) => involvedObject.uid === uid)
        .toSorted((a, b) => reportedAt(b) - reportedAt(a))[0];

/** A refusal of the Job's pods counts until the Job gets a pod. */
function refusedSince({ refusals, jobUid }: RunSeen, newest: Pod | undefined): Blocker | null {
  const refusal = newestOf(refusals, jobUid);
  if (!refusal || (newest && createdAtMs(newest) >= reportedAt(refusal))) return null;
  return { ...nothing, is: 'refused', says: refusal.message ?? '' };
}

const containersOf = ({ status }: Pod) => [
  ...(status?.initContainerStatuses ?? []),
  ...(status?.containerStatuses ?? []),
];

/** The waiting reasons of a container that starts normally. */
const usual: readonly string[] = ['ContainerCreating', 'PodInitializing'];

const blockerOfPod = (pod: Pod, mounts: readonly KubeEvent[]): Blocker | null =>
  unplaced(pod) ?? heldContainer(pod) ?? unmounted(pod, mounts);

function unplaced({ metadata: { name }, status }: Pod): Blocker | null {
  const placed = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (placed?.status !== 'False') return null;
  return { ...nothing, is: 'unplaced', pod: name, reason: placed.reason ?? '', says: placed.message ?? '' };
}

function heldContainer(pod: Pod): Blocker | null {
  for (const { name: container, state } of containersOf(pod)) {
    const { reason = '', message = '' } = state?.waiting ?? {};
    if (reason !== '' && !usual.includes(reason))
      return { is: 'waits', pod: pod.metadata.name, container, reason, says: message };
  }
  return null;
}

/** A container's status does not show what its pod waits for before any container starts. */
function unmounted(pod: Pod, mounts: readonly KubeEvent[]): Blocker | null {
  const isStarting = pod.status?.phase === 'Pending' && !containersOf(pod).some(hasStarted);
  const mount = isStarting ? newestOf(mounts, pod.metadata.uid) : undefined;
  if (!mount) return null;
  return { ...nothing, is: 'waits', pod: pod.metadata.name, reason: 'FailedMount', says: mount.message ?? '' };
}

const hasStarted = ({ state }: ContainerStatus) => state !== undefined && state.waiting === undefined;

/** The termination of the container that failed the pod. */
function endOf(pod: Pod): Blocker | null {
  for (const { name: container, state } of containersOf(pod)) {
    const { exitCode = 0, message = '' } = state?.terminated ?? {};
    if (exitCode !== 0)
      return {
        is: 'ended',
        pod: pod.metadata.name,
        container,
        reason: `exit code ${exitCode}`,
        says: lastLine(message),
      };
  }
  return null;
}

const longestLine = 300;

/** A container that fails leaves the end of its log. */
const lastLine = (message: string): string => message.trim().split('\n').at(-1)?.trim().slice(0, longestLine) ?? '';

const colon = (...parts: readonly Message[]) =>
  joined(
    parts.filter(({ text }) => text !== ''),
    ': ',
  );

const placeOf = ({ pod, container }: Blocker): Message =>
  container === ''
    ? sentence('pod "{pod}"', { pod: toObservers(pod) })
    : sentence('container "{container}" of pod "{pod}"', { container: toViewers(container), pod: toObservers(pod) });

/** The blocker as part of a sentence. */
export function blockerMessage(blocker: Blocker): Message {
  const { is } = blocker;
  // Pod messages may name a repository, and observers may read about pods and logs.
  const message = sentence('{says}', { says: toObservers(blocker.says) });
  const place = placeOf(blocker);
  const reason = sentence('{reason}', { reason: toViewers(blocker.reason) });
  switch (is) {
    case 'unplaced':
      return colon(sentence('{place} finds no node', { place }), message.text === '' ? reason : message);
    case 'waits':
      return colon(sentence('{place} cannot start', { place }), reason, message);
    case 'ended':
      return colon(sentence('{place} ended with {reason}', { place, reason }), message);
    case 'refused':
      return colon(open('its pods are refused'), message);
    case 'notOwn':
      return sentence("{place} is not the Job's own: it lacks {says}", { place, says: message });
  }
}
