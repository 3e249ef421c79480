import type { KubeObject } from '../../crds/kind.ts';
import { isDeleting } from '../deleting.ts';
import { isReadyPod, type StartingPod, type WorkloadCondition } from '../pods.ts';
import { createdAtMs, isoTime, msOf } from '../time.ts';
import { hidden, open, sentence, toViewers } from '../words.ts';
import type { FoundCause, ObjectRef } from './cause.ts';
import { type CopyContainer, copyContainers } from './containers.ts';
import { isCreating, type VolumeEvent } from './creating.ts';
import { causeOfEnd, momentsOf } from './ended.ts';
import { causeOfQuota } from './quota.ts';
import type { CauseReason } from './reasons.ts';

/** The reasons for which copies do not run, in the order checked. */
export const copiesReasons = [
  'RolloutPaused',
  'QuotaExceeded',
  'PodsRefused',
  'Unschedulable',
  'VolumeFailed',
  'ImagePullFailed',
  'ContainerConfigMissing',
  'OutOfMemory',
  'CrashLoop',
  'ProbeFailing',
  'CopiesStarting',
  'ScaledToZero',
] as const satisfies readonly CauseReason[];

/** The parts of a Deployment or another owner of pods that explain why copies are missing. */
export interface CopiesOwner extends KubeObject {
  readonly spec?: { readonly paused?: boolean; readonly replicas?: number };
  readonly status?: { readonly updatedReplicas?: number; readonly conditions?: readonly WorkloadCondition[] };
}

/** Copies of one workload: what owns them, and the pods of its newest revision. */
export interface Copies {
  /** The Deployment, or what else the copies belong to. */
  readonly on: ObjectRef;
  readonly owners: readonly CopiesOwner[];
  readonly wanted: number;
  readonly pods: readonly StartingPod[];
  /** What the Events of a pod said about its volumes, by the uid of the pod; undefined while they were not read. */
  readonly volumeEvent: (uid: string) => VolumeEvent | undefined;
  /** The values of Secrets that the copies read. */
  readonly secrets: () => readonly string[];
  readonly now: number;
}

/** What the copies of a Deployment wait for or suffer from: the worst, and a note when the Deployment is paused. */
export function causesOfCopies(copies: Copies): readonly FoundCause[] {
  const { owners, wanted, on } = copies;
  const pods = copies.pods.filter((pod) => !isDeleting(pod) && !isOver(pod)).toSorted(byAge);
  const paused = owners.find(({ spec }) => spec?.paused === true);
  // The API server leaves a count of 0 out.
  const waits = paused !== undefined && (paused.status?.updatedReplicas ?? 0) < wanted;
  const pausing: FoundCause = {
    reason: 'RolloutPaused',
    severity: waits ? 'failure' : 'note',
    message: open('the Deployment is paused: no deploy reaches the copies'),
    on,
  };
  const worst = waits ? undefined : firstOf(copies, pods);
  const found = [...(worst ? [worst] : []), ...(paused ? [pausing] : [])];
  const changesAt = nextMoment(copies, pods);
  return found.map((cause, index) => (index === 0 && changesAt !== null ? { ...cause, changesAt } : cause));
}

/** A pod that was evicted stays beside the one that replaces it. */
const isOver = ({ status }: StartingPod): boolean => status?.phase === 'Failed' || status?.phase === 'Succeeded';

/** When the pods are next seen otherwise by time alone (ms). */
function nextMoment({ now }: Copies, pods: readonly StartingPod[]): number | null {
  const due = pods.flatMap((pod) => copyContainers(pod).flatMap(momentsOf)).filter((at) => at > now);
  return due.length === 0 ? null : Math.min(...due);
}

const uidOf = ({ metadata }: StartingPod): string => metadata.uid ?? '';

const byAge = (one: StartingPod, other: StartingPod): number =>
  createdAtMs(one) - createdAtMs(other) || (one.metadata.name < other.metadata.name ? -1 : 1);

function firstOf(copies: Copies, pods: readonly StartingPod[]): FoundCause | undefined {
  if (copies.wanted === 0)
    return { reason: 'ScaledToZero', message: open('no copy is wanted: replicas is 0'), on: copies.on };
  const containers = pods.flatMap(copyContainers);
  return (
    refused(copies) ??
    first(pods, (pod) => unschedulable(copies, pod)) ??
    first(pods, (pod) => volumeFailed(copies, pod)) ??
    waitingAmong(copies, containers) ??
    first(containers, (container) => causeOfEnd(container, true, copies)) ??
    first(containers, (container) => causeOfEnd(container, false, copies)) ??
    starting(copies, pods)
  );
}

function first<T, A>(items: readonly T[], of: (item: T) => A | undefined): A | undefined {
  for (const item of items) {
    const found = of(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function refused({ on, owners }: Copies): FoundCause | undefined {
  const texts = owners
    .flatMap(({ status }) => status?.conditions ?? [])
    .filter(({ type, status }) => type === 'ReplicaFailure' && status === 'True')
    .map(({ message = '', reason = '' }) => (message === '' ? reason : message));
  return first(texts, (text) => causeOfQuota(text, on)) ?? first(texts, (text) => causeOfRefusal(text, on));
}

/** The cause of pods that the cluster refuses to create, by its words. */
export const causeOfRefusal = (text: string, on: ObjectRef): FoundCause =>
  causeOfQuota(text, on) ?? {
    reason: 'PodsRefused',
    message: sentence('the cluster refuses the copies: {message}', { message: hidden(text) }),
    on,
  };

function unschedulable({ on }: Copies, { status }: StartingPod): FoundCause | undefined {
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status !== 'False' || scheduled.reason !== 'Unschedulable') return undefined;
  return causeOfPlacement(scheduled.message ?? '', on);
}

/** The cause of a pod that no node takes, by the words of the scheduler. */
export const causeOfPlacement = (text: string, on: ObjectRef): FoundCause => ({
  reason: 'Unschedulable',
  message: sentence('no node takes the copy: {message}', { message: hidden(text) }),
  on,
});

function volumeFailed({ on, volumeEvent }: Copies, pod: StartingPod): FoundCause | undefined {
  const text = isCreating(pod) ? (volumeEvent(uidOf(pod))?.text ?? null) : null;
  return text === null ? undefined : causeOfVolume(text, on);
}

/** The cause of a volume that cannot be mounted, by the words of the kubelet. */
export const causeOfVolume = (text: string, on: ObjectRef): FoundCause => ({
  reason: 'VolumeFailed',
  message: sentence('a volume cannot be mounted: {message}', { message: hidden(text) }),
  on,
});

const pullReasons: readonly string[] = ['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull'];
const configReasons: readonly string[] = ['CreateContainerConfigError', 'CreateContainerError'];

/** Of the containers that cannot start, one whose image is missing comes first. */
function waitingAmong({ on }: Copies, containers: readonly CopyContainer[]): FoundCause | undefined {
  const waiting = containers.flatMap(({ image, state }) => causeOfWaiting({ image, ...state?.waiting }, on) ?? []);
  return waiting.find(({ reason }) => reason === 'ImagePullFailed') ?? waiting[0];
}

interface Waiting {
  readonly image: string;
  readonly reason?: string;
  readonly message?: string;
}

/** The cause of a container that cannot start, by the words of the kubelet; undefined while it starts normally. */
export function causeOfWaiting({ image, reason = '', message = '' }: Waiting, on: ObjectRef): FoundCause | undefined {
  if (pullReasons.includes(reason))
    return {
      reason: 'ImagePullFailed',
      message: sentence('image "{image}" cannot be pulled: {reason}{message}', {
        image: hidden(image),
        reason: toViewers(reason),
        message: sentence('{message}', { message: hidden(message === '' ? '' : `: ${message}`) }),
      }),
      on,
    };
  if (!configReasons.includes(reason)) return undefined;
  const what = hidden(message === '' ? reason : message);
  return { reason: 'ContainerConfigMissing', message: sentence('the container lacks {what}', { what }), on };
}

/** Copies that run and are not ready, or that are still to come; none when all are there. */
function starting({ on, wanted }: Copies, pods: readonly StartingPod[]): FoundCause | undefined {
  const unready = pods.filter((pod) => !isReadyPod(pod) && isRunning(pod));
  const since = unready.flatMap((pod) => programsOf(pod).map(({ state }) => msOf(state?.running?.startedAt ?? '')));
  if (unready.length > 0)
    return {
      reason: 'ProbeFailing',
      message: sentence('{running} of {wanted} copies run and are not ready since {time}', {
        running: toViewers(unready.length),
        wanted: toViewers(wanted),
        time: toViewers(timeText(Math.min(...since.filter(Number.isFinite)))),
      }),
      on,
    };
  const ready = pods.filter(isReadyPod).length;
  if (ready >= wanted) return undefined;
  return {
    reason: 'CopiesStarting',
    message: sentence('{ready} of {wanted} copies are ready', { ready: toViewers(ready), wanted: toViewers(wanted) }),
    on,
  };
}

const programsOf = (pod: StartingPod) => copyContainers(pod).filter(({ isOfStart }) => !isOfStart);

function isRunning(pod: StartingPod): boolean {
  const programs = programsOf(pod);
  return programs.length > 0 && programs.every(({ state }) => state?.running !== undefined);
}

/** A time to the second. Not a duration, which each pass would write anew. */
const timeText = (ms: number): string =>
  Number.isFinite(ms) ? isoTime(ms).replace(/\.\d+Z$/, 'Z') : 'an unknown time';
