import type { FoundCause, ObjectRef } from '../cause/cause.ts';
import { type CopyContainer, copyContainers } from '../cause/containers.ts';
import { causeOfPlacement, causeOfRefusal, causeOfVolume, causeOfWaiting } from '../cause/copies.ts';
import { lastLine } from '../cause/lastLine.ts';
import type { StartingPod } from '../pods.ts';
import { hidden, type Message, sentence, toViewers } from '../words.ts';
import { type Blocker, blockerMessage } from './blockers.ts';
import { shortCommit } from './commit.ts';

/** How the newest failed pod of a run ended. */
export type RunEnd =
  | { readonly is: 'evicted'; readonly message: string }
  | {
      readonly is: 'exited';
      readonly container: string;
      readonly exitCode: number;
      /** Its memory limit, when it was killed there. */
      readonly killedAt: string | null;
      /** The line of its log that tells most, without secrets. */
      readonly logLine: string;
    };

/** How the newest failed pod ended, of the pods of a run, newest first; null while none failed. */
export function endOfRun(pods: readonly StartingPod[], secrets: () => readonly string[]): RunEnd | null {
  for (const pod of pods) {
    if (pod.status?.reason === 'Evicted') return { is: 'evicted', message: pod.status.message ?? '' };
    const container = copyContainers(pod).find((one) => exitCodeOf(one) !== 0);
    if (container !== undefined) return exited(container, secrets());
  }
  return null;
}

const exitCodeOf = ({ state }: CopyContainer): number => state?.terminated?.exitCode ?? 0;

function exited(container: CopyContainer, secrets: readonly string[]): RunEnd {
  const { reason, message = '' } = container.state?.terminated ?? {};
  return {
    is: 'exited',
    container: container.name,
    exitCode: exitCodeOf(container),
    killedAt: reason === 'OOMKilled' ? container.memory : null,
    logLine: lastLine(message, secrets),
  };
}

const withLine = (logLine: string): Pick<FoundCause, 'logLine'> => (logLine === '' ? {} : { logLine });

/** Why a Job failed: by its pods, else by the reason that the Job gives, which is empty when the Job is gone. */
export function causeOfFailedRun(
  end: RunEnd | null,
  { sha, why, on }: { readonly sha: string; readonly why: string; readonly on: ObjectRef },
): FoundCause {
  const commit = toViewers(shortCommit(sha));
  if (end === null) {
    const message =
      why === ''
        ? sentence('build of {commit} failed: its Job is gone', { commit })
        : sentence('build of {commit} failed: {why}', { commit, why: toViewers(why) });
    return { reason: 'BuildFailed', message, on };
  }
  if (end.is === 'evicted') {
    const message = sentence('a pod of the build was evicted: {message}', { message: hidden(end.message) });
    return { reason: 'PodsRefused', message, on };
  }
  const { exitCode, killedAt, logLine } = end;
  const container = toViewers(end.container);
  const ended = { on, exitCode, ...withLine(logLine) };
  if (killedAt !== null) {
    const message = sentence('container {container} of the build was killed at its memory limit of {limit}', {
      container,
      limit: toViewers(killedAt),
    });
    return { reason: 'OutOfMemory', message, ...ended };
  }
  const message = sentence('build of {commit} failed in container {container}: exit code {code}', {
    commit,
    container,
    code: toViewers(exitCode),
  });
  return { reason: 'BuildFailed', message, ...ended };
}

/** A run whose Job has not ended. */
interface Running {
  readonly blocker: Blocker | null;
  readonly end: RunEnd | null;
  readonly failedPods: number;
  /** The image of a container by its name. */
  readonly imageOf: (container: string) => string;
  /** `commit … is being built` */
  readonly message: Message;
  readonly self: ObjectRef;
  readonly job: ObjectRef;
}

/** What a running Job waits for; else that it runs, with the end of the pod that failed last. */
export function causeOfRunning({ blocker, end, failedPods, imageOf, message, self, job }: Running): FoundCause {
  const blocked = blocker && causeOfBlocker(blocker, imageOf(blocker.container), job);
  if (blocked) return blocked;
  const running = { reason: 'BuildRunning', message, on: self } as const;
  if (blocker === null) return running;
  return {
    ...running,
    message: sentence('{message}; {blocker}', { message, blocker: withoutWords(blocker) }),
    count: failedPods,
    ...(end?.is === 'exited' && { exitCode: end.exitCode, ...withLine(end.logLine) }),
  };
}

/** The last line of a log is a field of its own. */
const withoutWords = (blocker: Blocker): Message =>
  blockerMessage(blocker.is === 'ended' ? { ...blocker, says: '' } : blocker);

function causeOfBlocker(blocker: Blocker, image: string, on: ObjectRef): FoundCause | undefined {
  const { is, reason, says: message } = blocker;
  switch (is) {
    case 'unplaced':
      return causeOfPlacement(message, on);
    case 'refused':
      return causeOfRefusal(message, on);
    case 'notOwn':
      return { reason: 'ForeignObject', message: blockerMessage(blocker), on };
    case 'waits':
      return reason === 'FailedMount' ? causeOfVolume(message, on) : causeOfWaiting({ image, reason, message }, on);
    case 'ended':
      return undefined;
  }
}
