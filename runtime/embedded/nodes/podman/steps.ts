import { at, textAt } from '../../api/json.ts';
import { type ContainerStatus, type Container, type Pod } from '../shapes.ts';
import { statusesOf } from '../podStatus.ts';
import { programPrefix } from './cache.ts';
import { type SeenContainer, type SeenPod, killedCode, lost, newestOf } from './seen.ts';

/** A container that is to be started now. */
export interface Start {
  readonly container: Container;
  readonly run: number;
  readonly strikes: number;
  /** A container of this run that was made and not started. */
  readonly made: SeenContainer | null;
}

/** What a kubelet does next for a pod. */
export interface Steps {
  readonly starts: readonly Start[];
  /** The containers that wait to be run again, and until when. */
  readonly backingOff: ReadonlyMap<string, { readonly until: number; readonly waitMs: number }>;
  readonly initialized: boolean;
  readonly phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed';
}

const firstWaitMs = 10_000;
const longestWaitMs = 300_000;
/** A container that ran so long has started well: what was before is forgotten. */
const forgottenAfterMs = 2 * longestWaitMs;

/** The first restart comes at once, each further one waits twice as long as the one before. */
const waitOf = (strikes: number) => (strikes === 0 ? 0 : Math.min(longestWaitMs, firstWaitMs * 2 ** (strikes - 1)));

/** Init containers one after the other, then all others at once; what ended is run again as its pod asks. */
export function stepsOf(pod: Pod, seen: SeenPod, now: number): Steps {
  const { initContainers = [], containers = [], restartPolicy = 'Always' } = pod.spec ?? {};
  const backingOff = new Map<string, { until: number; waitMs: number }>();
  const starts: Start[] = [];
  const isFinal = (run: SeenContainer, isInit: boolean) =>
    restartPolicy === 'Never' || (run.exitCode === 0 && (isInit || restartPolicy === 'OnFailure'));
  // What a pod ran in may be gone, as after a reboot; then it begins anew, with what comes first.
  const isAnew = (run: SeenContainer) => run.isGone === true && restartPolicy !== 'Never';
  const step = (container: Container, isInit: boolean) => {
    const newest = newestOf(seen, container.name);
    if (newest?.state === 'running') return;
    if (newest === undefined) return void starts.push({ container, run: 0, strikes: 0, made: null });
    const { run, strikes } = newest;
    if (isInit && isAnew(newest)) return void starts.push({ container, run: run + 1, strikes, made: null });
    if (newest.state === 'created') return void starts.push({ container, run, strikes, made: newest });
    if (isFinal(newest, isInit)) return;
    const counted = newest.finishedAt - newest.startedAt >= forgottenAfterMs ? 0 : strikes;
    const waitMs = waitOf(counted);
    const until = newest.finishedAt + waitMs;
    if (now >= until) starts.push({ container, run: run + 1, strikes: counted + 1, made: null });
    else backingOff.set(container.name, { until, waitMs });
  };
  const over = (isInit: boolean) => (container: Container) => {
    const newest = newestOf(seen, container.name);
    return newest?.state === 'exited' && isFinal(newest, isInit) && !(isInit && isAnew(newest)) ? newest : null;
  };
  const initRuns = initContainers.map(over(true));
  const initFailed = initRuns.some((run) => (run?.exitCode ?? 0) !== 0);
  const pending = initContainers.find((_, index) => initRuns[index]?.exitCode !== 0);
  // Init containers are not run again once the others have begun.
  const began = containers.some(({ name }) => {
    const newest = newestOf(seen, name);
    return newest !== undefined && !isAnew(newest);
  });
  const initialized = pending === undefined || began;
  if (initFailed && !began) return { starts, backingOff, initialized: false, phase: 'Failed' };
  if (!initialized && pending) step(pending, true);
  else for (const container of containers) step(container, false);
  const runs = containers.map(over(false));
  const phase =
    initialized && runs.every((run) => run !== null)
      ? runs.some((run) => run?.exitCode !== 0)
        ? 'Failed'
        : 'Succeeded'
      : containers.some(({ name }) => (newestOf(seen, name)?.state ?? 'created') !== 'created')
        ? 'Running'
        : 'Pending';
  return { starts, backingOff, initialized, phase };
}

/** How a pod that was asked to end stands when nothing of it runs any more: nothing is run again. */
export function endedSteps(pod: Pod, seen: SeenPod, now: number): Steps {
  const once = { ...pod, spec: { ...pod.spec, restartPolicy: 'Never' } } as const;
  const steps = stepsOf(once, seen, now);
  const isOver = steps.phase === 'Succeeded' || steps.phase === 'Failed';
  return { ...steps, phase: isOver ? steps.phase : 'Failed', starts: [], backingOff: new Map() };
}

/**
 * The pod as it is seen, with the runs that only its status still tells of: what ran and is nowhere any more has ended, and
 * is counted.
 */
export function withTold(pod: Pod, seen: SeenPod, now: number): SeenPod {
  const told = statusesOf(pod.status).flatMap((status) => toldRun(status, seen, now) ?? []);
  return told.length === 0 ? seen : { ...seen, containers: [...told, ...seen.containers] };
}

function toldRun(status: ContainerStatus, seen: SeenPod, now: number): SeenContainer | null {
  const { name, containerID, restartCount } = status;
  if (containerID === undefined || (newestOf(seen, name)?.run ?? -1) >= restartCount) return null;
  const id = containerID.replace(/^[a-z]+:\/\//, '');
  const ended = at(status.state, 'terminated') ?? at(status.lastState, 'terminated');
  const base = { id, name, run: restartCount, strikes: restartCount, state: 'exited', oomKilled: false } as const;
  // The programs of the node run in nothing that could go.
  const gone = id.startsWith(programPrefix) ? {} : { isGone: true as const };
  const rest = { error: '', imageId: status.imageID, pid: 0, stopSignal: '15', ...gone };
  if ('running' in status.state) {
    const startedAt = Date.parse(status.state.running.startedAt);
    return { ...base, ...rest, startedAt, finishedAt: now, exitCode: killedCode, error: lost };
  }
  const time = (field: string) => Date.parse(textAt(ended, field)) || 0;
  const exitCode = Number(at(ended, 'exitCode') ?? killedCode);
  return { ...base, ...rest, startedAt: time('startedAt'), finishedAt: time('finishedAt'), exitCode };
}
