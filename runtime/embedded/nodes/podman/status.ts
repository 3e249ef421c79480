import { listAt, textAt } from '../../api/json.ts';
import { stamp } from '../clock.ts';
import { statusesOf } from '../podStatus.ts';
import {
  type Condition,
  type Container,
  type ContainerState,
  type ContainerStatus,
  type Pod,
  type PodStatus,
  type Terminated,
  withCondition,
} from '../shapes.ts';
import { type SeenContainer, type SeenPod, lost, newestOf } from './seen.ts';
import type { Steps } from './steps.ts';

/** Why a container does not run yet. */
export interface Held {
  readonly reason: string;
  readonly message: string;
}

/** What a status is made of beside the runs of the containers. */
export interface Known {
  readonly now: number;
  readonly hostIp: string;
  readonly held: ReadonlyMap<string, Held>;
  /** What the probes of a running container say. */
  readonly probed: (run: SeenContainer) => { readonly started: boolean; readonly ready: boolean };
  readonly imageOf: (id: string) => string;
  /** The message that a run left behind. */
  readonly messageOf: (container: Container, run: SeenContainer) => string;
}

/** The status of a pod as a kubelet tells it of what is seen. */
export function statusOf(pod: Pod, seen: SeenPod, steps: Steps, known: Known): PodStatus {
  const { initContainers = [], containers = [] } = pod.spec ?? {};
  const waiting = initContainers.length > 0 && !steps.initialized ? 'PodInitializing' : 'ContainerCreating';
  const one = (isInit: boolean) => (container: Container) =>
    containerStatus(container, { pod, seen, steps, known, isInit, waiting });
  const main = containers.map(one(false));
  const address = seen.sandbox?.address ?? '';
  return {
    ...pod.status,
    phase: steps.phase,
    conditions: conditionsOf(pod, { seen, steps, main }, known.now),
    hostIP: known.hostIp,
    hostIPs: [{ ip: known.hostIp }],
    ...(address !== '' && { podIP: address, podIPs: [{ ip: address }] }),
    startTime: pod.status?.['startTime'] ?? stamp(known.now),
    ...(initContainers.length > 0 && { initContainerStatuses: initContainers.map(one(true)) }),
    containerStatuses: main.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

interface Around {
  readonly pod: Pod;
  readonly seen: SeenPod;
  readonly steps: Steps;
  readonly known: Known;
  readonly isInit: boolean;
  readonly waiting: string;
}

function containerStatus(container: Container, around: Around): ContainerStatus {
  const { pod, seen, known, isInit } = around;
  const { name, image = '' } = container;
  const run = newestOf(seen, name);
  const old = statusesOf(pod.status).find((status) => status.name === name);
  if (run === undefined || run.state === 'created') return notRunYet(container, around, { run, old });
  const imageID = known.imageOf(run.imageId);
  const base = { name, image, imageID, containerID: containerIdOf(run), restartCount: run.run };
  if (run.state === 'exited') return { ...base, ...endedStatus(container, run, around) };
  const { started, ready } = known.probed(run);
  const state: ContainerState = { running: { startedAt: stamp(run.startedAt) } };
  return { ...base, ready: !isInit && ready, started, state, lastState: lastState(container, run, around) };
}

interface Before {
  readonly run: SeenContainer | undefined;
  readonly old: ContainerStatus | undefined;
}

function notRunYet(container: Container, around: Around, { run, old }: Before): ContainerStatus {
  const { name, image = '' } = container;
  return {
    name,
    image,
    imageID: old?.imageID ?? '',
    ready: false,
    started: false,
    restartCount: run?.run ?? 0,
    state: { waiting: around.known.held.get(name) ?? { reason: around.waiting } },
    lastState: run ? lastState(container, run, around) : (old?.lastState ?? {}),
  };
}

/** A container that ended, and what it waits for where it is to be run again. */
function endedStatus(
  container: Container,
  run: SeenContainer,
  around: Around,
): Pick<ContainerStatus, 'ready' | 'started' | 'state' | 'lastState'> {
  const { pod, steps, known, isInit } = around;
  const { name } = container;
  const ended = { terminated: terminatedOf(container, run, around) };
  const off = steps.backingOff.get(name);
  const where = `${pod.metadata.name}_${pod.metadata.namespace ?? ''}(${pod.metadata.uid})`;
  const waiting = off
    ? {
        reason: 'CrashLoopBackOff',
        message: `back-off ${off.waitMs / 1_000}s restarting failed container=${name} pod=${where}`,
      }
    : known.held.get(name);
  if (waiting) return { ready: false, started: false, state: { waiting }, lastState: ended };
  const ready = isInit && run.exitCode === 0;
  return { ready, started: false, state: ended, lastState: lastState(container, run, around) };
}

/** How a container runtime names a run. */
export const containerIdOf = ({ id }: SeenContainer) => `podman://${id}`;

/** The end of the run before the newest: as it is seen, or as the status told it. */
function lastState(container: Container, run: SeenContainer, around: Around): ContainerStatus['lastState'] {
  const before = around.seen.containers.find((one) => one.name === run.name && one.run === run.run - 1);
  if (before?.state === 'exited') return { terminated: terminatedOf(container, before, around) };
  const old = statusesOf(around.pod.status).find(({ name }) => name === run.name);
  if (old?.containerID === containerIdOf(run)) return old.lastState;
  return old && 'terminated' in old.state ? old.state : (old?.lastState ?? {});
}

/** An end that was told once stands. */
function terminatedOf(container: Container, run: SeenContainer, { pod, known }: Around): Terminated {
  const containerID = containerIdOf(run);
  const old = statusesOf(pod.status).find(({ name }) => name === run.name);
  for (const state of [old?.state, old?.lastState])
    if (state && 'terminated' in state && state.terminated.containerID === containerID) return state.terminated;
  const message = known.messageOf(container, run);
  return {
    exitCode: run.exitCode,
    reason: reasonOf(run),
    ...(message !== '' && { message }),
    startedAt: stamp(run.startedAt),
    finishedAt: stamp(run.finishedAt),
    containerID,
  };
}

export const startError = 'StartError';

function reasonOf({ exitCode, oomKilled, error }: SeenContainer): string {
  if (error === lost || error.startsWith(startError)) return error.split(':', 1)[0] ?? error;
  if (oomKilled) return 'OOMKilled';
  return exitCode === 0 ? 'Completed' : 'Error';
}

interface Judged {
  readonly seen: SeenPod;
  readonly steps: Steps;
  readonly main: readonly ContainerStatus[];
}

function conditionsOf(pod: Pod, judged: Judged, now: number): readonly Condition[] {
  const told = judgedOf(pod, judged);
  const all = told.reduce<readonly Condition[]>(
    (conditions, one) => withCondition(conditions, one, stamp(now)),
    pod.status?.conditions ?? [],
  );
  const rank = ({ type }: Condition) => told.findIndex((one) => one.type === type);
  return [
    ...all.filter((one) => rank(one) >= 0).toSorted((a, b) => rank(a) - rank(b)),
    ...all.filter((one) => rank(one) < 0),
  ];
}

/** What a kubelet says of a pod, in the order in which it does. */
function judgedOf(pod: Pod, { seen, steps, main }: Judged): readonly Omit<Condition, 'lastTransitionTime'>[] {
  const { phase, initialized } = steps;
  const readiness = readinessOf(phase, main);
  return [
    { type: 'PodReadyToStartContainers', status: seen.sandbox?.running === true ? 'True' : 'False' },
    initialized
      ? { type: 'Initialized', status: 'True', ...(phase === 'Succeeded' && { reason: 'PodCompleted' }) }
      : { type: 'Initialized', status: 'False', reason: 'ContainersNotInitialized' },
    { type: 'Ready', ...(readiness.status === 'True' ? gatesOf(pod) : readiness) },
    { type: 'ContainersReady', ...readiness },
    { type: 'PodScheduled', status: 'True' },
  ];
}

type Readiness = Pick<Condition, 'status' | 'reason' | 'message'>;

/** What others have to say of a pod whose containers are ready. */
function gatesOf(pod: Pod): Readiness {
  const faults = listAt(pod, 'spec', 'readinessGates').flatMap((gate) => {
    const type = textAt(gate, 'conditionType');
    const found = pod.status?.conditions?.find((one) => one.type === type);
    if (!found) return [`corresponding condition of pod readiness gate "${type}" does not exist.`];
    return found.status === 'True'
      ? []
      : [`the status of pod readiness gate "${type}" is not "True", but ${found.status}`];
  });
  if (faults.length === 0) return { status: 'True' };
  return { status: 'False', reason: 'ReadinessGatesNotReady', message: faults.join(', ') };
}

function readinessOf(phase: Steps['phase'], main: readonly ContainerStatus[]): Readiness {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' };
  const unready = main.filter(({ ready }) => !ready).map(({ name }) => name);
  if (unready.length === 0) return { status: 'True' };
  const message = `containers with unready status: [${unready.join(' ')}]`;
  return { status: 'False', reason: 'ContainersNotReady', message };
}
