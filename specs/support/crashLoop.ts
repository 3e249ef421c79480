import type { KubeObject } from '../../crds/kind.ts';
import { replicaSets } from '../../runtime/owned/addonKinds.ts';
import { owned } from '../../runtime/owned/owned.ts';
import { workloadPods } from '../../runtime/controllers/capacity.ts';
import type { TestEnvironment } from './environment.ts';
import type { VirtualTime } from './virtualTime.ts';

interface CrashLoop {
  readonly environment: Pick<TestEnvironment, 'cluster'>;
  readonly time: Pick<VirtualTime, 'now' | 'wall' | 'next' | 'moveTo'>;
  /** How long the program runs between a start and its end. */
  readonly runsForMs: number;
  readonly lastsMs: number;
}

/** How long a kubelet waits before each start after an end; a program that ends for the first time is started at once. */
const backOffMs = (ends: number): number => (ends === 1 ? 0 : Math.min(300_000, 10_000 * 2 ** (ends - 2)));
/** From one report of the kubelet, or of a controller that follows it, to the next. */
const reportMs = 100;
const minReadyMs = 5_000;

/**
 * The program of every pod ends again and again, as a kubelet and the controllers of ReplicaSets and Deployments report
 * it, each report a change of its own. Resolves with the number of ends.
 */
export async function crashLoop({ environment, time, runsForMs, lastsMs }: CrashLoop): Promise<number> {
  const until = time.now() + lastsMs;
  const reports = reportsOf(environment);
  const passUntil = async (at: number) => {
    const stop = Math.min(at, until);
    await time.moveTo(time.now());
    for (let next = time.next(); next !== undefined && next <= stop; next = time.next()) await time.moveTo(next);
    await time.moveTo(stop);
  };
  const pass = (ms: number) => passUntil(time.now() + ms);
  const available = async (replicas: number, isAvailable: boolean) => {
    for (const report of [reports.set, reports.deployment]) {
      report(isAvailable ? replicas : 0);
      await pass(reportMs);
    }
  };
  let ends = 0;
  let terminated: object = {};
  while (time.now() < until) {
    ends++;
    const end = { exitCode: 1, reason: 'Error', message: 'boom', finishedAt: second(time.wall()) };
    const restartCount = ends - 1;
    const lastState = ends === 1 ? {} : { lastState: { terminated } };
    reports.pod({ restartCount, state: { terminated: end }, ...lastState }, time.wall());
    terminated = end;
    const startsAt = time.now() + backOffMs(ends);
    await pass(reportMs);
    await available(0, false);
    if (time.now() < startsAt) {
      reports.pod({ restartCount, state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: { terminated } });
      await passUntil(startsAt);
    }
    if (time.now() >= until) break;
    const started = time.now();
    const running = { startedAt: second(time.wall()) };
    reports.pod({ restartCount: ends, state: { running }, lastState: { terminated } }, time.wall());
    await passUntil(started + Math.min(minReadyMs, runsForMs));
    if (runsForMs > minReadyMs) await available(1, true);
    await passUntil(started + runsForMs);
  }
  return ends;
}

/** The times of a kubelet are whole seconds. */
const second = (ms: number): string => new Date(Math.floor(ms / 1_000) * 1_000).toISOString().replace('.000Z', 'Z');

interface ContainerReport {
  readonly restartCount: number;
  readonly state: { readonly running?: object; readonly waiting?: object; readonly terminated?: object };
  readonly lastState?: object;
}

type WithStatus = KubeObject & { readonly status?: object };

function reportsOf({ cluster }: Pick<TestEnvironment, 'cluster'>) {
  const availableIn = (resource: typeof owned.deployments) => (availableReplicas: number) => {
    for (const owner of cluster.all(resource) as readonly WithStatus[])
      cluster.put(resource, { ...owner, status: { ...owner.status, availableReplicas } } as WithStatus);
  };
  return {
    pod: (container: ContainerReport, at?: number) => {
      const isReady = container.state.running !== undefined;
      for (const pod of cluster.all(workloadPods) as readonly WithStatus[])
        cluster.put<WithStatus>(workloadPods, {
          ...pod,
          status: {
            ...pod.status,
            phase: 'Running',
            ...(at !== undefined && {
              conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: second(at) }],
            }),
            containerStatuses: [{ name: 'app', ...container }],
          },
        });
    },
    set: availableIn(replicaSets),
    deployment: availableIn(owned.deployments),
  };
}
