import { Effect } from 'effect';
import { systemNamespace } from '../../../crds/names.ts';
import { pods } from '../../../runtime/resources.ts';
import { Away, type ClusterShape, type ReadError } from '../../../runtime/services/cluster.ts';
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
export interface MemoryCommand {
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

const started = /^printf '.*%s.*' "\$\$"/;
const hangUp = /^kill -HUP (\d+)$/;

/**
 * Commands in the pods of an in-memory cluster. A shell echoes what is written to it until it reads `exit`, and goes on
 * when its client has left, as runtimes let it.
 */
export function memoryExec(cluster: Pick<ClusterShape, 'get'>): MemoryExec {
  const commands: (MemoryCommand & { readonly stop: (end: ExecEnd) => void })[] = [];

  function begin(pod: string, execution: Execution): ExecStream {
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
    const kills = hangUp.exec(script)?.[1];
    if (started.test(script)) waiting = `\u001b]7197;core;${pid}\u0007`;
    if (kills !== undefined) {
      commands.find((one) => one.pid === Number(kills))?.stop({ is: 'exited', code: 129 });
      stop({ is: 'exited', code: 0 });
    }
    if (!execution.interactive && execution.reads !== true && kills === undefined) {
      waiting = `${execution.command.join(' ')}\n`;
      stop({ is: 'exited', code: 0 });
    }
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
        const exit = /(^|\n)exit(?: (\d+))?\n/.exec(written);
        if (exit) stop({ is: 'exited', code: Number(exit[2] ?? 0) });
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
        listener?.ended(ended ?? { is: 'lost', why: 'it was left' });
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
          ? Effect.map(cluster.get(pods, { name, namespace }), () =>
              exec.locally === null ? begin(name, execution) : localCommand(exec.locally(execution.command)),
            )
          : Effect.fail(exec.failing),
      ),
  };
  return exec;
}

/** For a cluster that does not answer. */
export const noAnswer = new Away({ why: 'the connection ended' });
