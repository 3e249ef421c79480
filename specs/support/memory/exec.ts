import { Effect } from 'effect';
import { systemNamespace } from '../../../crds/names.ts';
import { pods } from '../../../runtime/services/cluster/resources.ts';
import type { Stored } from '../../../runtime/embedded/store.ts';
import { Unavailable, type ReadError } from '../../../runtime/services/cluster/cluster.ts';
import type { MemoryCluster } from '../memoryCluster.ts';
import { entered, isKilled, plainCommand, startFault } from './containers.ts';
import { localCommand } from './localCommand.ts';
import type {
  ExecEnd,
  ExecListener,
  ExecShape,
  Execution,
  ExecStream,
  WindowSize,
} from '../../../runtime/services/exec.ts';

/** One command that was started in a pod, as a test sees it. */
interface MemoryCommand {
  readonly pod: string;
  readonly execution: Execution;
  readonly pid: number;
  readonly written: () => string;
  /** Whether somebody still reads it. */
  readonly isRead: () => boolean;
  readonly isRunning: () => boolean;
  readonly isHeld: () => boolean;
  /** The sizes of its window. */
  readonly sizes: readonly WindowSize[];
  /** Whether it takes what is written; what was written meanwhile is no less written. */
  readonly takes: (does: boolean) => void;
  readonly say: (text: string) => void;
  readonly end: (end: ExecEnd) => void;
}

export interface MemoryExec extends ExecShape {
  readonly commands: readonly MemoryCommand[];
  /** Shells that nobody has ended. */
  readonly shells: () => readonly MemoryCommand[];
  /** Fails the next ones with this; null lets them through. */
  failing: ReadError | null;
  /** Runs the next ones here, in the words that this makes of their command; null keeps them in memory. */
  locally: ((command: readonly string[]) => readonly string[]) | null;
}

const started = /^export '([^']*)'; printf '.*%s.*' "\$\$"/;
const hangUp = /^kill -HUP (\d+)$/;
const endOfInput = '\u0004';
const hangUpLeft = /^for p in .* grep -qsF '([^']*)'/;

/** The shells that a command hangs up: one by its process id, or those of a holder; null where it does something else. */
function hungUpBy(script: string, commands: readonly MemoryCommand[]): readonly MemoryCommand[] | null {
  const pid = hangUp.exec(script)?.[1];
  if (pid !== undefined) return commands.filter((one) => one.pid === Number(pid));
  const holder = hangUpLeft.exec(script)?.[1];
  if (holder === undefined) return null;
  return commands.filter(({ execution }) => started.exec(execution.command[2] ?? '')?.[1] === holder);
}

/** How a shell ended by what was typed: by its word, or by the end of the input; null while it goes on. */
function typedEnd(typed: string): ExecEnd | null {
  const exit = /(?:^|[\r\n])exit(?: (\d+))?[\r\n]/.exec(typed);
  if (exit) return { is: 'exited', code: Number(exit[1] ?? 0) };
  return typed.split(/[\r\n]/).some((line) => line.startsWith(endOfInput)) ? { is: 'exited', code: 0 } : null;
}

/**
 * Commands in the pods of an in-memory cluster. A shell echoes what is written to it until it reads `exit`, and goes on
 * when its client has left, as runtimes let it; it is killed with its container. A command that reads what is written to
 * it without a terminal is played by the test.
 */
export function memoryExec(cluster: Pick<MemoryCluster, 'get' | 'onChange'>): MemoryExec {
  const commands: (MemoryCommand & { readonly stop: (end: ExecEnd) => void; readonly uid: string })[] = [];
  cluster.onChange((changed, type) => {
    for (const { uid, execution, isRunning, stop } of commands)
      if (uid === changed.metadata.uid && isRunning())
        if (type === 'deleted' || isKilled(changed as unknown as Stored, execution.container))
          stop({ is: 'exited', code: 137 });
  });

  function begin(found: Stored, execution: Execution): ExecStream {
    const { name: pod, uid } = found.metadata;
    const pid = commands.length + 100;
    const [, , script = ''] = execution.command;
    let listener: ExecListener | null = null;
    let written = '';
    let waiting = '';
    let isRead = true;
    let isRunning = true;
    let isHeld = false;
    let ended: ExecEnd | null = null;
    let isFull = false;
    const sizes: WindowSize[] = [];

    const flush = () => {
      if (listener === null || isHeld || !isRead) return;
      const text = waiting;
      waiting = '';
      if (text !== '') listener.output(Buffer.from(text));
      if (ended === null) return;
      isRead = false;
      listener.ended(ended);
    };
    const say = (text: string) => {
      waiting += text;
      flush();
    };
    const stop = (end: ExecEnd) => {
      isRunning = false;
      ended ??= end;
      flush();
    };
    const command = {
      pod,
      uid,
      execution,
      pid,
      written: () => written,
      isRead: () => isRead,
      isRunning: () => isRunning,
      isHeld: () => isHeld,
      sizes,
      takes: (does: boolean) => {
        isFull = !does;
        if (does) listener?.drained();
      },
      say,
      end: stop,
      stop,
    };
    commands.push(command);
    const hungUp = hungUpBy(script, commands);
    if (started.test(script)) waiting = `\u001b]7197;core;${pid}\u0007`;
    if (hungUp !== null) {
      for (const one of hungUp) one.end({ is: 'exited', code: 129 });
      stop({ is: 'exited', code: 0 });
    }
    const fault = execution.interactive ? startFault(execution.command[0] ?? '') : null;
    if (fault !== null) stop(fault);
    if (!execution.interactive && execution.reads !== true && hungUp === null)
      void plainCommand(found, execution, say).then(stop);
    return {
      listen: (given) => {
        listener = given;
        flush();
      },
      write: (data) => {
        const text = Buffer.from(data).toString();
        written += text;
        if (!isRunning || !execution.interactive) return true;
        say(text);
        const typed = typedEnd(written);
        if (typed !== null) stop(typed);
        return !isFull;
      },
      resize: (size) => void sizes.push(size),
      hold: (held) => {
        isHeld = held;
        flush();
      },
      close: () => {
        if (!isRead) return;
        isRead = false;
        listener?.ended(ended ?? { is: 'lost', why: 'the connection to the cluster ended' });
      },
    };
  }

  const exec: MemoryExec = {
    commands,
    shells: () => commands.filter(({ execution, isRunning }) => execution.interactive && isRunning()),
    failing: null,
    locally: null,
    open: ({ name, namespace = systemNamespace }, execution) =>
      Effect.suspend(() =>
        exec.failing === null
          ? Effect.gen(function* () {
              const pod = (yield* cluster.get(pods, { name, namespace })) as unknown as Stored;
              yield* entered(pod, execution.container);
              return exec.locally === null ? begin(pod, execution) : localCommand(exec.locally(execution.command));
            })
          : Effect.fail(exec.failing),
      ),
  };
  return exec;
}

/** For a cluster that does not answer. */
export const noAnswer = new Unavailable({ message: 'the connection ended' });
