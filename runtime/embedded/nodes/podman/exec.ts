import { type Duplex, pipeline } from 'node:stream';
import { at, textAt } from '../../api/json.ts';
import type { Execution, Exit, Stdio, WindowSize } from '../../api/podProcesses.ts';
import { kill } from '../shell/descendants.ts';
import { write } from '../shell/process.ts';
import { frameReader } from './frames.ts';
import { type Libpod, idOf } from './libpod.ts';

/** How a runtime says that a program could not be started at all. */
const notStarted = /^Error: (?:OCI runtime|runc: |crun: |.*exec failed)/;
/** What podman says in addition where its runtime failed. */
const noise = /\s*Error: read unixpacket [^\n]*\s*/;
const sizeWithinMs = 300;

/** Runs a command in a container of podman. The command dies with whoever asked for it. */
export async function execIn(podman: Libpod, id: string, { command, stdio }: Execution): Promise<Exit> {
  const made = await podman.call({
    method: 'POST',
    path: `/containers/${id}/exec`,
    body: {
      Cmd: command,
      Tty: stdio.tty,
      AttachStdin: stdio.stdin !== null,
      AttachStdout: true,
      AttachStderr: !stdio.tty,
      ...(stdio.tty && { Env: ['TERM=xterm'] }),
    },
  });
  const session = idOf(made);
  const size = stdio.tty ? await firstSize(stdio) : null;
  const connection = await podman.hijack({
    method: 'POST',
    path: `/exec/${session}/start`,
    body: { Detach: false, Tty: stdio.tty, ...(size && { h: size.rows, w: size.columns }) },
  });
  const resize = ({ rows, columns }: WindowSize) =>
    podman
      .call({ method: 'POST', path: `/exec/${session}/resize`, query: { h: String(rows), w: String(columns) } })
      .catch(() => null);
  if (stdio.tty) stdio.onResize((next) => void resize(next));
  const leave = () => void killSession(podman, session).finally(() => connection.destroy());
  stdio.gone.addEventListener('abort', leave, { once: true });
  if (stdio.gone.aborted) leave();
  const failure = await joined(connection, stdio);
  stdio.gone.removeEventListener('abort', leave);
  const code = await exitCodeOf(podman, session);
  if (failure !== null && (code === 126 || code === 127)) return { is: 'failed', why: failure.replace(noise, '') };
  return { is: 'exited', code };
}

/** Joins what a process reads and writes; returns what a runtime says that could not start it. */
export async function joined(connection: Duplex, stdio: Stdio): Promise<string | null> {
  const { stdin, stdout, stderr, gone, tty } = stdio;
  let failure: string | null = null;
  let isFirst = true;
  const take = (stream: 1 | 2, chunk: Buffer) => {
    if (isFirst && notStarted.test(chunk.toString('utf8'))) failure = '';
    isFirst = false;
    if (failure === null) return write(stream === 1 || tty ? stdout : stderr, chunk, gone);
    failure += chunk.toString('utf8');
    return undefined;
  };
  connection.on('error', () => {});
  // Either side may end first: the exit of the command decides.
  if (stdin) pipeline(stdin, connection, () => {});
  else if (!tty) connection.end();
  const frames = frameReader();
  for await (const chunk of ended(connection))
    if (tty) await take(1, chunk);
    else for (const { stream, data } of frames(chunk)) await take(stream, data);
  connection.destroy();
  return failure;
}

/** What comes until the other side ends; a connection that breaks has ended too. */
async function* ended(connection: Duplex): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of connection) yield chunk as Buffer;
  } catch {
    // The one who asked is gone, or podman's service; the session tells what became of the command.
  }
}

/** A client tells its size right after it came, if at all. */
async function firstSize({ size, onResize }: Stdio): Promise<WindowSize | null> {
  if (size() !== null) return size();
  await new Promise<void>((done) => {
    const timer = setTimeout(done, sizeWithinMs);
    onResize(() => {
      clearTimeout(timer);
      done();
    });
  });
  return size();
}

const sessionOf = (podman: Libpod, session: string) =>
  podman.call({ method: 'GET', path: `/exec/${session}/json` }).catch(() => null);

async function exitCodeOf(podman: Libpod, session: string): Promise<number> {
  const told = await sessionOf(podman, session);
  return Number(at(told, 'ExitCode') ?? 137);
}

/** In podman a command outlives its client, so it is killed by the number of its process. */
export async function killSession(podman: Libpod, session: string): Promise<void> {
  const told = await sessionOf(podman, session);
  const pid = Number(at(told, 'Pid') ?? 0);
  if (at(told, 'Running') === true && pid > 1) kill(pid);
}

/** Kills the commands that a server which is gone left in a container. */
export async function killSessionsOf(podman: Libpod, container: string): Promise<void> {
  const told = await podman.call({ method: 'GET', path: `/containers/${container}/json` }).catch(() => null);
  const sessions = at(told, 'ExecIDs');
  for (const session of Array.isArray(sessions) ? sessions : [])
    if (typeof session === 'string') await killSession(podman, session);
}

/** Joins the process that a container runs. */
export async function attachTo(podman: Libpod, id: string, stdio: Stdio): Promise<Exit> {
  const connection = await podman.hijack({
    method: 'POST',
    path: `/containers/${id}/attach`,
    query: { stream: 'true', stdin: String(stdio.stdin !== null), stdout: 'true', stderr: String(!stdio.tty) },
  });
  if (stdio.tty)
    stdio.onResize(({ rows, columns }) => {
      const query = { h: String(rows), w: String(columns) };
      void podman.call({ method: 'POST', path: `/containers/${id}/resize`, query }).catch(() => null);
    });
  stdio.gone.addEventListener('abort', () => connection.destroy(), { once: true });
  await joined(connection, stdio);
  return { is: 'exited', code: 0 };
}

/** Whether a container has a terminal. */
export const hasTerminal = (container: unknown): boolean =>
  at(container, 'tty') === true && textAt(container, 'name') !== '';
