import { posix } from 'node:path';
import { listAt, numberAt, textAt } from '../../api/json.ts';
import type { Execution, Exit, Stdio } from '../../api/podProcesses.ts';
import type { Store, Stored } from '../../store.ts';
import { environmentOf } from './environment.ts';
import { runInteractive } from './interactive.ts';
import { isProgram, isShell, runText, runLines } from './interpreter.ts';
import { filesOf } from './mounts.ts';
import { notStarted, notThere } from './notStarted.ts';
import type { Session } from './process.ts';
import { type Terminal, openTerminal } from './terminal.ts';

/** A container of a pod, as its spec has it. */
export const containerIn = (pod: Stored, name: string): unknown =>
  ['initContainers', 'containers', 'ephemeralContainers']
    .flatMap((field) => listAt(pod, 'spec', field))
    .find((one) => textAt(one, 'name') === name);

/** Runs commands in containers that are simulated. */
export function simulatedExec(store: Store, now: () => number) {
  return async (pod: Stored, name: string, { command, stdio }: Execution): Promise<Exit> => {
    const [program = '', ...args] = command;
    const session = sessionOf({ store, now, pod, name, stdio });
    if (!isProgram(program)) return { is: 'failed', why: notStarted(program, faultOf(program, session)) };
    const code = await (stdio.tty ? inTerminal(session, stdio, command) : inPipes(session, stdio, [program, ...args]));
    return { is: 'exited', code };
  };
}

function faultOf(program: string, { place: { files }, directory }: Session): string {
  if (!program.includes('/')) return notThere(program);
  const path = posix.resolve(directory, program);
  if (files.names(path) !== null) return 'is a directory';
  return files.isFile(path) ? 'permission denied' : notThere(program);
}

function inPipes(session: Session, { stdin, stdout, stderr, gone }: Stdio, command: readonly string[]) {
  const streams = { stdin, stdout, stderr, interrupted: gone };
  const [program = '', ...rest] = command;
  return isShell(program) && rest.length === 0
    ? runLines(session, streams)
    : runText(quoted(command), session, streams);
}

async function inTerminal(session: Session, stdio: Stdio, command: readonly string[]): Promise<number> {
  const terminal = openTerminal(stdio);
  session.environment.set('TERM', 'xterm');
  let code = await atTerminal(session, terminal, { command, gone: stdio.gone });
  for (let next = session.replacement; next !== null; next = session.replacement) {
    session.replacement = session.exited = null;
    code = await atTerminal(session, terminal, { command: next, gone: stdio.gone });
  }
  await terminal.close();
  return code;
}

const isInteractive = ([program = '', ...args]: readonly string[]) =>
  isShell(program) && args.every((arg) => /^-[il]+$|^--login$/.test(arg));

function atTerminal(
  session: Session,
  terminal: Terminal,
  { command, gone }: { readonly command: readonly string[]; readonly gone: AbortSignal },
): Promise<number> {
  if (isInteractive(command)) return runInteractive(session, terminal, gone);
  const [program = '', flag, script] = command;
  // The script of a shell runs in this very shell, so that another may take its place at the terminal.
  const text = isShell(program) && flag === '-c' && script !== undefined ? script : quoted(command);
  return runAtTerminal(session, terminal, text);
}

const runAtTerminal = (session: Session, { output, inForeground }: Terminal, text: string) =>
  inForeground((stdin, interrupted) => runText(text, session, { stdin, stdout: output, stderr: output, interrupted }));

/** The words of a command as text that stands for exactly them. */
const quoted = (command: readonly string[]) => command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');

interface Asked {
  readonly store: Store;
  readonly now: () => number;
  readonly pod: Stored;
  readonly name: string;
  readonly stdio: Stdio;
}

function sessionOf({ store, now, pod, name, stdio }: Asked): Session {
  const container = containerIn(pod, name);
  const user = (field: string) =>
    numberAt(container, 'securityContext', field) || numberAt(pod, 'spec', 'securityContext', field);
  const environment = environmentOf(store, pod, container);
  const directory = textAt(container, 'workingDir') || '/';
  environment.set('PWD', directory);
  return {
    environment,
    directory,
    lastExit: 0,
    exited: null,
    replacement: null,
    place: {
      podName: pod.metadata.name,
      hostname: environment.get('HOSTNAME') ?? pod.metadata.name,
      container: name,
      image: textAt(container, 'image'),
      user: { uid: user('runAsUser'), gid: user('runAsGroup') },
      main: [...listAt(container, 'command'), ...listAt(container, 'args')].join(' ') || textAt(container, 'image'),
      files: filesOf(store, pod, container),
      now,
      windowSize: () => (stdio.tty ? (stdio.size() ?? { rows: 24, columns: 80 }) : null),
    },
  };
}
