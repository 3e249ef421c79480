import type { ContainerStatus, KubeEvent, Pod } from '../../crds/builtIn.ts';
import { annotation } from '../../crds/names.ts';
import { newestFirst } from '../newest.ts';
import { createdAtMs, msOf } from '../time.ts';
import { joined, open, sentence, toObservers, toViewers, type Said } from '../words.ts';

/** What stands in the way of a builder Job, in the words of whoever says so. A field is empty where nothing is to be said. */
export interface Hindrance {
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
  /** What tells of volumes that cannot be mounted, and of pods that cannot be created. */
  readonly mounts: readonly KubeEvent[];
  readonly refusals: readonly KubeEvent[];
}

const nothing = { pod: '', container: '', reason: '', says: '' } as const;

/** What hinders a run: what its newest pod waits for or came to, else why its Job has none. */
export function hindranceOf(seen: RunSeen): Hindrance | null {
  const own = seen.pods.filter((pod) => missingOn(pod, seen).length === 0).toSorted(newestFirst);
  const [newest] = own;
  const refused = refusedSince(seen, newest);
  if (refused !== null) return refused;
  if (newest === undefined) return strangerOf(seen);
  return hindranceOfPod(newest, seen.mounts) ?? own.map(endOf).find((end) => end !== null) ?? null;
}

/** What makes a pod the Job's own, and is missing on this one. A Job that is gone owns none by its uid. */
function missingOn({ metadata }: Pod, { run, jobUid }: RunSeen): readonly string[] {
  const isOwned = jobUid === '' || (metadata.ownerReferences ?? []).some(({ uid }) => uid === jobUid);
  return [
    ...(isOwned ? [] : [`an owner reference to the Job with the uid ${jobUid}`]),
    ...(metadata.annotations?.[annotation.run] === run ? [] : [`the annotation ${annotation.run}: ${run}`]),
  ];
}

/** A pod that was meant for the Job; one of an earlier run was not. */
function strangerOf(seen: RunSeen): Hindrance | null {
  const stranger = seen.pods
    .filter(({ metadata }) => createdAtMs({ metadata }) >= Math.floor(msOf(seen.run) / 1000) * 1000)
    .toSorted(newestFirst)[0];
  if (!stranger) return null;
  return { ...nothing, is: 'notOwn', pod: stranger.metadata.name, says: missingOn(stranger, seen).join(' and ') };
}

const toldAt = ({ lastTimestamp, eventTime, metadata }: KubeEvent) =>
  msOf(lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '') || 0;
const newestOf = (events: readonly KubeEvent[], uid: string | undefined) =>
  uid === undefined || uid === ''
    ? undefined
    : events.filter(({ involvedObject }) => involvedObject.uid === uid).toSorted((a, b) => toldAt(b) - toldAt(a))[0];

/** That the Job's pods are refused counts as long as it got none since. */
function refusedSince({ refusals, jobUid }: RunSeen, newest: Pod | undefined): Hindrance | null {
  const refusal = newestOf(refusals, jobUid);
  if (!refusal || (newest && createdAtMs(newest) >= toldAt(refusal))) return null;
  return { ...nothing, is: 'refused', says: refusal.message ?? '' };
}

const containersOf = ({ status }: Pod) => [
  ...(status?.initContainerStatuses ?? []),
  ...(status?.containerStatuses ?? []),
];

/** What every container waits for that has yet to start. */
const usual: readonly string[] = ['ContainerCreating', 'PodInitializing'];

const hindranceOfPod = (pod: Pod, mounts: readonly KubeEvent[]): Hindrance | null =>
  unplaced(pod) ?? heldContainer(pod) ?? unmounted(pod, mounts);

function unplaced({ metadata: { name }, status }: Pod): Hindrance | null {
  const placed = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (placed?.status !== 'False') return null;
  return { ...nothing, is: 'unplaced', pod: name, reason: placed.reason ?? '', says: placed.message ?? '' };
}

function heldContainer(pod: Pod): Hindrance | null {
  for (const { name: container, state } of containersOf(pod)) {
    const { reason = '', message = '' } = state?.waiting ?? {};
    if (reason !== '' && !usual.includes(reason))
      return { is: 'waits', pod: pod.metadata.name, container, reason, says: message };
  }
  return null;
}

/** A container's status does not say what its pod waits for before any of them starts. */
function unmounted(pod: Pod, mounts: readonly KubeEvent[]): Hindrance | null {
  const isStarting = pod.status?.phase === 'Pending' && !containersOf(pod).some(hasStarted);
  const mount = isStarting ? newestOf(mounts, pod.metadata.uid) : undefined;
  if (!mount) return null;
  return { ...nothing, is: 'waits', pod: pod.metadata.name, reason: 'FailedMount', says: mount.message ?? '' };
}

const hasStarted = ({ state }: ContainerStatus) => state !== undefined && state.waiting === undefined;

/** How the container ended that a pod failed by. */
function endOf(pod: Pod): Hindrance | null {
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

const colon = (...parts: readonly Said[]) =>
  joined(
    parts.filter(({ text }) => text !== ''),
    ': ',
  );

const placeOf = ({ pod, container }: Hindrance): Said =>
  container === ''
    ? sentence('pod "{pod}"', { pod: toObservers(pod) })
    : sentence('container "{container}" of pod "{pod}"', { container: toViewers(container), pod: toObservers(pod) });

/** The same as a part of a sentence. */
export function hindranceSays(hindrance: Hindrance): Said {
  const { is } = hindrance;
  // What a pod says may name a repository; observers are told of pods and of logs.
  const says = sentence('{says}', { says: toObservers(hindrance.says) });
  const place = placeOf(hindrance);
  const reason = sentence('{reason}', { reason: toViewers(hindrance.reason) });
  switch (is) {
    case 'unplaced':
      return colon(sentence('{place} finds no node', { place }), says.text === '' ? reason : says);
    case 'waits':
      return colon(sentence('{place} cannot start', { place }), reason, says);
    case 'ended':
      return colon(sentence('{place} ended with {reason}', { place, reason }), says);
    case 'refused':
      return colon(open('its pods are refused'), says);
    case 'notOwn':
      return sentence("{place} is not the Job's own: it lacks {says}", { place, says });
  }
}
