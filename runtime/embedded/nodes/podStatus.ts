import { isDeepStrictEqual } from 'node:util';
import { stamp } from './clock.ts';
import { type ContainerPlan, type Plan, planKept } from './plan.ts';
import { type Progress, type Step, progressAt } from './progress.ts';
import { containerId, render } from './render.ts';
import {
  type Condition,
  type ContainerState,
  type ContainerStatus,
  type Pod,
  type PodStatus,
  type Terminated,
  isOver,
  withCondition,
} from './shapes.ts';
import { type Ended, failsFirst } from './timeline.ts';

const longestTerminationMessage = 4096;
const killed = 137;

/** The pod with the status it has by now; the very same one when nothing changed. A phase never goes backwards. */
export function advanced(pod: Pod, now: number): Pod {
  const plan = planKept(pod);
  if (!plan || isOver(pod) || pod.metadata.deletionTimestamp !== undefined) return pod;
  const status = statusAt(pod, plan, progressAt(pod, plan, now), now);
  return goesBack(pod.status, status) || isDeepStrictEqual(pod.status, status) ? pod : { ...pod, status };
}

/** The pod as its deletion leaves it: what ran was killed. */
export function killedPod(pod: Pod, now: number): Pod {
  const kill = (status: ContainerStatus): ContainerStatus => {
    if (!('running' in status.state)) return { ...status, ready: false, started: false };
    const { startedAt } = status.state.running;
    const { containerID = '' } = status;
    const end = { exitCode: killed, reason: 'Error', startedAt, finishedAt: stamp(now), containerID };
    return { ...status, ready: false, started: false, state: { terminated: end } };
  };
  const { initContainerStatuses, containerStatuses, ephemeralContainerStatuses, conditions } = pod.status ?? {};
  const notReady = { status: 'False', reason: 'PodFailed' } as const;
  return {
    ...pod,
    status: {
      ...pod.status,
      phase: 'Failed',
      ...(initContainerStatuses && { initContainerStatuses: initContainerStatuses.map(kill) }),
      ...(containerStatuses && { containerStatuses: containerStatuses.map(kill) }),
      ...(ephemeralContainerStatuses && { ephemeralContainerStatuses: ephemeralContainerStatuses.map(kill) }),
      conditions: withCondition(
        withCondition(conditions, { type: 'Ready', ...notReady }, stamp(now)),
        { type: 'ContainersReady', ...notReady },
        stamp(now),
      ),
    },
  };
}

function statusAt(pod: Pod, plan: Plan, progress: Progress, now: number): PodStatus {
  const { init, main, phase } = progress;
  const waiting = init.length > 0 ? 'PodInitializing' : 'ContainerCreating';
  const status = (isInit: boolean) => (step: Step) =>
    containerStatus(pod, plan, step, { waiting, ready: !isInit && now >= step.readyAt, isInit });
  return {
    ...pod.status,
    phase,
    conditions: conditionsOf(pod, progress, now),
    ...addressesOf(plan, hasSandbox(progress)),
    startTime: stamp(plan.placedAt),
    ...(init.length > 0 && { initContainerStatuses: init.map(status(true)) }),
    containerStatuses: main.map(status(false)).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    ...(progress.ephemeral.length > 0 && { ephemeralContainerStatuses: progress.ephemeral.map(status(false)) }),
  };
}

/** The node of a pod is known at once, its own address once it has a sandbox. */
const addressesOf = ({ ip, hostIp }: Plan, sandbox: boolean): Pick<PodStatus, string> => ({
  ...(hostIp !== undefined && { hostIP: hostIp, hostIPs: [{ ip: hostIp }] }),
  ...(sandbox && ip !== undefined && { podIP: ip, podIPs: [{ ip }] }),
});

/** A pod has its sandbox before any container starts, and before one is found not to start. */
const hasSandbox = ({ init, main }: Progress) =>
  [...init, ...main].some(({ moment }) => moment.is !== 'notYet' || moment.held !== undefined);

function containerStatus(
  pod: Pod,
  plan: Plan,
  { container, moment }: Step,
  { isInit, waiting, ready }: { readonly isInit: boolean; readonly waiting: string; readonly ready: boolean },
): ContainerStatus {
  const { name, image = '' } = container;
  const terminated = (run: Ended, restarts: number) => terminatedState(pod, plan, container, { run, restarts });
  const base = { name, image, imageID: moment.is === 'notYet' ? '' : image };
  if (moment.is === 'notYet')
    return {
      ...base,
      ready: false,
      started: false,
      restartCount: 0,
      state: { waiting: moment.held === undefined ? { reason: waiting } : heldFor(moment.held, image, moment.lacks) },
      lastState: {},
    };
  const { restarts } = moment;
  const last = moment.last ? { terminated: terminated(moment.last, restarts - 1) } : {};
  const started = { ...base, restartCount: restarts, containerID: containerId(pod, name, restarts) };
  switch (moment.is) {
    case 'running': {
      const state: ContainerState = { running: { startedAt: stamp(moment.startedAt) } };
      return { ...started, ready, started: true, state, lastState: last };
    }
    case 'backingOff': {
      const reason = 'CrashLoopBackOff';
      const seconds = Math.round((moment.until - moment.last.endedAt) / 1000);
      const message = `back-off ${seconds}s restarting failed container=${name} pod=${pod.metadata.name}`;
      const lastState = { terminated: terminated(moment.last, restarts) };
      return { ...started, ready: false, started: false, state: { waiting: { reason, message } }, lastState };
    }
    case 'ended': {
      const state = { terminated: terminated(moment.run, restarts) };
      return { ...started, ready: isInit && moment.run.exitCode === 0, started: false, state, lastState: last };
    }
  }
}

/** Why an image cannot be pulled. */
export const pullFailure = 'the rules of the simulated nodes say so';

/** What a container that cannot start waits for. */
function heldFor(reason: string, image: string, lacks: string | undefined) {
  if (lacks !== undefined) return { reason, message: lacks };
  switch (reason) {
    case 'ErrImagePull':
      return { reason, message: pullFailure };
    case 'ImagePullBackOff':
      return { reason, message: `Back-off pulling image "${image}": ErrImagePull: ${pullFailure}` };
    default:
      return { reason };
  }
}

const fallbackLines = 80;

/** What a run leaves behind: its message, or the end of its log where it failed without one and the container asks so. */
function lastWords(
  course: ContainerPlan,
  { terminationMessagePolicy }: Step['container'],
  { run, restarts }: { readonly run: Ended; readonly restarts: number },
): string {
  const fails = failsFirst(course, restarts);
  const message = fails ? '' : course.terminationMessage;
  if (message !== '' || run.exitCode === 0 || terminationMessagePolicy !== 'FallbackToLogsOnError') return message;
  const log = fails ? course.failedLog : course.log;
  return log.split('\n').slice(-fallbackLines).join('\n');
}

function terminatedState(
  pod: Pod,
  plan: Plan,
  container: Step['container'],
  { run, restarts }: { readonly run: Ended; readonly restarts: number },
): Terminated {
  const course = plan.containers[container.name];
  const text = course ? lastWords(course, container, { run, restarts }) : '';
  const message = render(text, pod, container, run.endedAt).slice(0, longestTerminationMessage);
  return {
    exitCode: run.exitCode,
    reason: run.exitCode === 0 ? 'Completed' : 'Error',
    ...(message !== '' && { message }),
    startedAt: stamp(run.startedAt),
    finishedAt: stamp(run.endedAt),
    containerID: containerId(pod, container.name, restarts),
  };
}

function conditionsOf(pod: Pod, progress: Progress, now: number): readonly Condition[] {
  const at = stamp(now);
  const judged = judgedOf(progress, now);
  const all = judged.reduce<readonly Condition[]>(
    (conditions, one) => withCondition(conditions, one, at),
    pod.status?.conditions ?? [],
  );
  const rank = ({ type }: Condition) => judged.findIndex((one) => one.type === type);
  const others = all.filter((one) => rank(one) < 0);
  return [...all.filter((one) => rank(one) >= 0).toSorted((a, b) => rank(a) - rank(b)), ...others];
}

/** What a kubelet says of a pod, in the order in which it does. */
function judgedOf(progress: Progress, now: number): readonly Omit<Condition, 'lastTransitionTime'>[] {
  const { initialized, phase } = progress;
  const isEnded = phase === 'Succeeded' || phase === 'Failed';
  const readiness = readinessOf(progress, now);
  return [
    { type: 'PodReadyToStartContainers', status: !isEnded && hasSandbox(progress) ? 'True' : 'False' },
    initialized
      ? { type: 'Initialized', status: 'True', ...(phase === 'Succeeded' && { reason: 'PodCompleted' }) }
      : { type: 'Initialized', status: 'False', reason: 'ContainersNotInitialized' },
    { type: 'Ready', ...readiness },
    { type: 'ContainersReady', ...readiness },
    { type: 'PodScheduled', status: 'True' },
  ];
}

function readinessOf({ main, phase }: Progress, now: number): Pick<Condition, 'status' | 'reason' | 'message'> {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' };
  const unready = main.filter(({ readyAt }) => now < readyAt).map(({ container }) => container.name);
  if (unready.length === 0) return { status: 'True' };
  return {
    status: 'False',
    reason: 'ContainersNotReady',
    message: `containers with unready status: [${unready.join(' ')}]`,
  };
}

const phases = ['Pending', 'Running', 'Succeeded', 'Failed'];

/** A clock that was set back must not undo what is already published. */
function goesBack(old: PodStatus | undefined, next: PodStatus): boolean {
  if (phases.indexOf(next.phase ?? '') < phases.indexOf(old?.phase ?? '')) return true;
  const nextSteps = statusesOf(next);
  return statusesOf(old).some((before) => {
    const after = nextSteps.find(({ name }) => name === before.name);
    return after !== undefined && stepOf(after) < stepOf(before);
  });
}

export const statusesOf = (status: PodStatus | undefined): readonly ContainerStatus[] => [
  ...(status?.initContainerStatuses ?? []),
  ...(status?.containerStatuses ?? []),
  ...(status?.ephemeralContainerStatuses ?? []),
];

/** Counts up while a container runs, ends, and waits to be run again. */
function stepOf({ restartCount, state, lastState }: ContainerStatus): number {
  if ('running' in state) return restartCount * 3 + 1;
  const ended = 'terminated' in state || 'terminated' in lastState;
  return restartCount * 3 + (ended ? 2 : 0);
}
