import { at, listAt, textAt } from '../api/json.ts';
import type { Exit, PodProcesses, Stdio } from '../api/podProcesses.ts';
import type { PodLogs } from '../api/podLogs.ts';
import type { Store, Stored } from '../store.ts';
import type { Clock } from './clock.ts';
import { endRun } from './endRun.ts';
import { isProgram } from './shell/interpreter.ts';
import { localExec } from './shell/local.ts';
import { containerIn, simulatedExec } from './shell/simulated.ts';
import { write } from './shell/process.ts';
import { whileContainerRuns } from './whileContainerRuns.ts';

/** Where commands run: in the simulated shell, or on this machine. */
export type ExecMode = 'simulated' | 'local';

interface World {
  readonly store: Store;
  readonly clock: Clock;
  readonly logs: PodLogs;
  readonly mode: ExecMode;
}

/** Processes of nodes that may be switched off. */
export interface NodeProcesses extends PodProcesses {
  readonly stop: () => void;
}

/** What runs in the containers of the simulated nodes when somebody asks for it. */
export function createPodProcesses({ store, clock, logs, mode }: World): NodeProcesses {
  const local = localExec(store);
  const start = mode === 'local' ? local.exec : simulatedExec(store, clock.now);
  const exec: PodProcesses['exec'] = (pod, name, { command, stdio }) =>
    whileContainerRuns(store, { pod, name }, stdio, (within) => start(pod, name, { command, stdio: within }));

  /** The shell that a container runs talks to whoever attaches, and takes the container with it when it ends. */
  async function attachToShell(pod: Stored, name: string, stdio: Stdio): Promise<Exit> {
    const exit = await whileContainerRuns(store, { pod, name }, stdio, async (within) => {
      const ended = await start(pod, name, { command: shellOf(containerIn(pod, name)), stdio: within });
      if (ended.is === 'exited' && !within.gone.aborted) await endRun(store, pod, { name, ...ended, at: clock.now() });
      return ended;
    });
    // How the container ended stands in its status: to attach went well.
    return exit.is === 'exited' ? { is: 'exited', code: 0 } : exit;
  }

  return {
    exec,
    stop: local.stop,
    attach: (pod, name, stdio) =>
      runsShell(containerIn(pod, name)) && stdio.stdin
        ? attachToShell(pod, name, stdio)
        : attachToOutput(logs, pod, { name, stdio }),
  };
}

/** What the container writes from now on, until it ends or the reader disconnects. */
async function attachToOutput(
  logs: PodLogs,
  pod: Stored,
  { name, stdio }: { readonly name: string; readonly stdio: Stdio },
): Promise<Exit> {
  const { stdout, gone } = stdio;
  stdio.stdin?.resume();
  const onLine = (line: string) => void write(stdout, `${line}${stdio.tty ? '\r\n' : '\n'}`, gone);
  const followed = logs.follow(pod, name, onLine, { tailLines: 0 });
  gone.addEventListener('abort', followed.stop, { once: true });
  await followed.ended;
  return { is: 'exited', code: 0 };
}

const words = (container: unknown) =>
  [...listAt(container, 'command'), ...listAt(container, 'args')].filter((word) => typeof word === 'string');

/** Whether a container reads its input with what is simulated: a program it is told to run, or the shell of its image. */
function runsShell(container: unknown): boolean {
  if (at(container, 'stdin') !== true) return false;
  const [first] = words(container);
  if (first !== undefined) return isProgram(first);
  return /(^|\/)(busybox|alpine|debian|ubuntu|bash)(:|@|$)/.test(textAt(container, 'image'));
}

const shellOf = (container: unknown) => (words(container).length > 0 ? words(container) : ['sh']);
