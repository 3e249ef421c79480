import type { KubeEvent } from '../../crds/builtIn.ts';
import type { StartingPod } from '../pods.ts';
import { createdAtMs, msOf } from '../time.ts';
import { copyContainers } from './containers.ts';

/** How long a pod may stay in ContainerCreating until its Events are read, and how long they are not read again. */
const creatingForMs = 30_000;
const readAgainMs = 60_000;

/** What the Events of a pod said about its volumes. */
export interface VolumeEvent {
  /** Null where they said nothing. */
  readonly text: string | null;
  /** When they were read (ms). */
  readonly readAt: number;
}

/** Whether a pod has a node and none of its containers is created yet. */
export function isCreating(pod: StartingPod): boolean {
  const containers = copyContainers(pod);
  return (
    (pod.spec?.nodeName ?? '') !== '' &&
    containers.length > 0 &&
    containers.every(({ state }) => ['ContainerCreating', 'PodInitializing'].includes(state?.waiting?.reason ?? ''))
  );
}

/** When the Events of a pod in ContainerCreating are to be read (ms); null for another pod. */
export function eventsReadAt(pod: StartingPod, known: VolumeEvent | undefined): number | null {
  if (!isCreating(pod)) return null;
  return known === undefined ? creatingSince(pod) + creatingForMs : known.readAt + readAgainMs;
}

/** Whether that time has come. A time far ahead comes from a clock that was set back since. */
export const isReadDue = (at: number, now: number): boolean => now >= at || at - now > readAgainMs;

function creatingSince(pod: StartingPod): number {
  const scheduled = pod.status?.conditions?.find(({ type, status }) => type === 'PodScheduled' && status === 'True');
  return msOf(scheduled?.lastTransitionTime ?? '') || createdAtMs(pod);
}

const aboutVolumes: readonly string[] = ['FailedMount', 'FailedAttachVolume', 'FailedMapVolume'];
/** Names the volumes that are missing, and no cause. */
const summary = /^Unable to attach or mount volumes/;

/** The newest message about a volume among the Events of a pod; one that names no cause only where no other does. */
export function volumeText(events: readonly KubeEvent[]): string | null {
  const texts = events
    .filter(({ reason = '', message = '' }) => aboutVolumes.includes(reason) && message !== '')
    .toSorted((one, other) => reportedAt(other) - reportedAt(one))
    .map(({ message = '' }) => message);
  return texts.find((text) => !summary.test(text)) ?? texts[0] ?? null;
}

const reportedAt = ({ lastTimestamp, eventTime, metadata }: KubeEvent): number =>
  msOf(lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '') || 0;
