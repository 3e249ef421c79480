import { PassThrough } from 'node:stream';
import type { LogLine } from '../api/podLogs.ts';
import type { PodProcesses } from '../api/podProcesses.ts';
import type { Store } from '../store.ts';
import type { Log } from '../surroundings.ts';
import type { Clock } from './clock.ts';
import { wordsOf } from './containerCommand.ts';
import { endRun } from './endRun.ts';
import { logWriter } from './logWriter.ts';
import { planKept } from './plan.ts';
import { statusesOf } from './podStatus.ts';
import { environmentOf, filledIn } from './shell/environment.ts';
import { type Container, type Pod, isOver, keyOf } from './shapes.ts';

/** The commands that the simulated shell runs as the programs of containers. */
export interface ContainerRuns {
  /** Begins what a pod's status says has started and nobody runs yet. */
  readonly tend: (pod: Pod) => void;
  /** What a run has written so far; null when it is not known here. */
  readonly linesOf: (pod: Pod, container: string, run: number) => readonly LogLine[] | null;
  /** Ends what runs for a pod that is gone. */
  readonly drop: (uid: string) => void;
  readonly stop: () => Promise<void>;
}

interface World {
  readonly store: Store;
  readonly clock: Clock;
  readonly exec: PodProcesses['exec'];
  readonly log: Log;
  /** Called with the key of a pod that wrote a line. */
  readonly wrote: (key: string) => void;
}

interface Run {
  readonly lines: () => readonly LogLine[];
  readonly abort: () => void;
  readonly ended: Promise<void>;
}

/** A command whose process was lost with the server begins anew. */
export function createContainerRuns({ store, clock, exec, log, wrote }: World): ContainerRuns {
  const runs = new Map<string, Map<string, Run>>();
  const runOf = (container: string, run: number) => `${container}/${run}`;

  function tend(pod: Pod) {
    const plan = planKept(pod);
    if (!plan || isOver(pod) || pod.metadata.deletionTimestamp !== undefined) return;
    for (const container of containersOf(pod)) {
      const course = plan.containers[container.name];
      const status = statusesOf(pod.status).find(({ name }) => name === container.name);
      if (course?.runs !== true || !status || !('running' in status.state)) continue;
      if (course.ends?.[status.restartCount] === undefined) begin(pod, container, status.restartCount);
    }
  }

  function begin(pod: Pod, container: Container, run: number) {
    const { uid } = pod.metadata;
    const ofPod = runs.get(uid) ?? new Map<string, Run>();
    runs.set(uid, ofPod);
    const name = runOf(container.name, run);
    if (ofPod.has(name)) return;
    const gone = new AbortController();
    const written = logWriter(clock.now, () => wrote(keyOf(pod)));
    const ended = perform(pod, container, { log: written, gone: gone.signal }).catch((why: unknown) =>
      log('warn', 'a container cannot be run', { pod: keyOf(pod), container: container.name, why: String(why) }),
    );
    ofPod.set(name, { lines: written.lines, abort: () => gone.abort(), ended });
  }

  async function perform(
    pod: Pod,
    container: Container,
    { log, gone }: { readonly log: ReturnType<typeof logWriter>; readonly gone: AbortSignal },
  ) {
    const { stream } = log;
    const stdin = new PassThrough();
    stdin.end();
    const stdio = { stdin, stdout: stream, stderr: stream, tty: false, size: () => null, onResize: () => {}, gone };
    const environment = environmentOf(store, pod, container);
    const command = wordsOf(container).map((word) => filledIn(word, environment));
    const exit = await exec(pod, container.name, { command, stdio });
    log.flush();
    if (gone.aborted) return;
    const code = exit.is === 'exited' ? exit.code : cannotRun;
    await endRun(store, pod, { name: container.name, code, at: clock.now(), log: log.lines() });
  }

  return {
    tend,
    linesOf: (pod, container, run) => runs.get(pod.metadata.uid)?.get(runOf(container, run))?.lines() ?? null,
    drop(uid) {
      for (const { abort } of runs.get(uid)?.values() ?? []) abort();
      runs.delete(uid);
    },
    async stop() {
      const all = [...runs.values()].flatMap((ofPod) => [...ofPod.values()]);
      for (const { abort } of all) abort();
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}

const cannotRun = 128;

const containersOf = ({ spec }: Pod): readonly Container[] => [
  ...(spec?.initContainers ?? []),
  ...(spec?.containers ?? []),
  ...(spec?.ephemeralContainers ?? []),
];
