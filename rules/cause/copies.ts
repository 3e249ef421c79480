import type { KubeObject } from '../../crds/kind.ts';
import { isDeleting } from '../deleting.ts';
import { isReadyPod, type StartingPod, type WorkloadCondition } from '../pods.ts';
import { createdAtMs, isoTime, msOf } from '../time.ts';
import { hidden, open, sentence, toViewers } from '../words.ts';
import type { FoundCause, ObjectRef } from './cause.ts';
import { type CopyContainer, copyContainers, type Ended, lastEndOf } from './containers.ts';
import { lastLine } from './lastLine.ts';
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

/** How long a crash is told after the last end. */
export const toldAfterEndMs = 600_000;
/** How long a pod may stay in ContainerCreating until its Events are read. */
export const creatingForMs = 30_000;

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
  /** The text of an Event about a volume of a pod, by the uid of the pod; undefined for none. */
  readonly volumeEvent: (uid: string) => string | undefined;
  /** The values of Secrets that the copies read. */
  readonly secrets: () => readonly string[];
  readonly now: number;
}

/** A pod, and one of its containers. */
interface Seen {
  readonly pod: StartingPod;
  readonly container: CopyContainer;
}

/** What the copies of a Deployment wait for or suffer from: the worst, and a note when the Deployment is paused. */
export function causesOfCopies(copies: Copies): readonly FoundCause[] {
  const { owners, wanted, on } = copies;
  const pods = copies.pods.filter((pod) => !isDeleting(pod)).toSorted(byAge);
  const paused = owners.some(({ spec }) => spec?.paused === true);
  const waits = paused && owners.some(({ status }) => (status?.updatedReplicas ?? wanted) < wanted);
  const pausing: FoundCause = {
    reason: 'RolloutPaused',
    severity: waits ? 'failure' : 'note',
    message: open('the Deployment is paused: no deploy reaches the copies'),
    on,
  };
  if (waits) return [pausing];
  const worst = firstOf(copies, pods);
  return [...(worst ? [worst] : []), ...(paused ? [pausing] : [])];
}

const byAge = (one: StartingPod, other: StartingPod): number =>
  createdAtMs(one) - createdAtMs(other) || (one.metadata.name < other.metadata.name ? -1 : 1);

function firstOf(copies: Copies, pods: readonly StartingPod[]): FoundCause | undefined {
  if (copies.wanted === 0)
    return { reason: 'ScaledToZero', message: open('no copy is wanted: replicas is 0'), on: copies.on };
  const containers = pods.flatMap((pod) => copyContainers(pod).map((container) => ({ pod, container })));
  return (
    refused(copies) ??
    first(pods, (pod) => unschedulable(copies, pod)) ??
    first(pods, (pod) => volumeFailed(copies, pod)) ??
    first(containers, (seen) => waitingFor(copies, seen)) ??
    first(containers, (seen) => ended(copies, seen, true)) ??
    first(containers, (seen) => ended(copies, seen, false)) ??
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
  const failed = owners
    .flatMap(({ status }) => status?.conditions ?? [])
    .find(({ type, status }) => type === 'ReplicaFailure' && status === 'True');
  if (!failed) return undefined;
  return causeOfRefusal(failed.message ?? failed.reason ?? '', on);
}

/** The cause of pods that the cluster refuses to create, by its words. */
export function causeOfRefusal(text: string, on: ObjectRef): FoundCause {
  const message = hidden(text);
  return /exceeded quota/.test(text)
    ? {
        reason: 'QuotaExceeded',
        message: sentence('the quota of namespace "{namespace}" is used up: {message}', {
          namespace: toViewers(on.namespace),
          message,
        }),
        on,
      }
    : { reason: 'PodsRefused', message: sentence('the cluster refuses the copies: {message}', { message }), on };
}

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
  const text = isCreating(pod) ? volumeEvent(pod.metadata.uid ?? '') : undefined;
  return text === undefined ? undefined : causeOfVolume(text, on);
}

/** The cause of a volume that cannot be mounted, by the words of the kubelet. */
export const causeOfVolume = (text: string, on: ObjectRef): FoundCause => ({
  reason: 'VolumeFailed',
  message: sentence('a volume cannot be mounted: {message}', { message: hidden(text) }),
  on,
});

/** Whether the containers of a pod that has a node are not created yet. */
export const isCreating = (pod: StartingPod): boolean =>
  (pod.spec?.nodeName ?? '') !== '' &&
  copyContainers(pod).some(({ state }) =>
    ['ContainerCreating', 'PodInitializing'].includes(state?.waiting?.reason ?? ''),
  );

const pullReasons: readonly string[] = ['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull'];
const configReasons: readonly string[] = ['CreateContainerConfigError', 'CreateContainerError'];

const waitingFor = ({ on }: Copies, { container: { image, state } }: Seen): FoundCause | undefined =>
  causeOfWaiting({ image, ...state?.waiting }, on);

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

/** A container that ended within ten minutes, or waits to be started again. */
function ended({ on, now, secrets }: Copies, { container }: Seen, outOfMemory: boolean): FoundCause | undefined {
  const end = lastEndOf(container);
  if (end === undefined || (end.reason === 'OOMKilled') !== outOfMemory) return undefined;
  const isOver = container.state?.running !== undefined && now >= end.atMs + toldAfterEndMs;
  if (isOver) return undefined;
  const count = container.restarts;
  const logLine = lastLine(end.message, secrets());
  return {
    ...(outOfMemory ? killed(container, count) : crashed(end, count)),
    on,
    count,
    lastAt: isoTime(end.atMs),
    exitCode: end.exitCode,
    ...(logLine === '' ? {} : { logLine }),
    ...(container.state?.running === undefined ? {} : { changesAt: end.atMs + toldAfterEndMs }),
  };
}

const killed = ({ memory }: CopyContainer, count: number) =>
  ({
    reason: 'OutOfMemory',
    message: sentence('a copy was killed at its memory limit of {limit}, {count} times', {
      limit: toViewers(memory),
      count: toViewers(count),
    }),
  }) as const;

const crashed = ({ exitCode }: Ended, count: number) =>
  ({
    reason: 'CrashLoop',
    message: sentence('the program ends by itself: exit code {code}, {count} restarts', {
      code: toViewers(exitCode),
      count: toViewers(count),
    }),
  }) as const;

/** Copies that run and are not ready, or that are still to come; none when all are there. */
function starting({ on, wanted }: Copies, pods: readonly StartingPod[]): FoundCause | undefined {
  const unready = pods.filter((pod) => !isReadyPod(pod) && copyContainers(pod).every(({ state }) => state?.running));
  const since = unready.flatMap((pod) => copyContainers(pod).map(({ state }) => msOf(state?.running?.startedAt ?? '')));
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

/** A time to the second. Not a duration, which each pass would write anew. */
const timeText = (ms: number): string =>
  Number.isFinite(ms) ? isoTime(ms).replace(/\.\d+Z$/, 'Z') : 'an unknown time';
