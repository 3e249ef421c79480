import { spawn as spawnPlain } from 'node:child_process';
import { createServer } from 'node:http';
import { KubeConfig } from '@kubernetes/client-node';
import { type IPty, spawn } from '@lydell/node-pty';
import { type WebSocket, WebSocketServer } from 'ws';
import { listen } from '../../http/listen.ts';

/** The exec endpoint of a kubelet whose runtime leaves a shell running when its client goes, as they do. */
export interface PtyServer {
  readonly config: KubeConfig;
  /** The processes that were started with a terminal. */
  readonly ptys: readonly IPty[];
  /** Whether a process of this id runs. */
  readonly runs: (pid: number) => boolean;
  /** Of the commands without a terminal. */
  readonly plain: readonly (readonly string[])[];
  readonly stop: () => Promise<void>;
}

const channel = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const;
const framed = (id: number, data: Buffer) => Buffer.concat([Buffer.of(id), data]);

function statusOf(code: number): string {
  if (code === 0) return JSON.stringify({ status: 'Success' });
  const causes = [{ reason: 'ExitCode', message: String(code) }];
  return JSON.stringify({ status: 'Failure', reason: 'NonZeroExitCode', details: { causes } });
}

/** Runs commands as processes of this machine, in real terminals, with these programs. */
export async function startPtyServer(path: string): Promise<PtyServer> {
  const ptys: IPty[] = [];
  const plain: (readonly string[])[] = [];
  const env = { PATH: path, TERM: 'xterm', PS1: '$ ', HOME: '/nonexistent' };
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'v5.channel.k8s.io' });
  const server = createServer((_, response) => response.writeHead(404).end());

  const ended = (socket: WebSocket, code: number) => {
    socket.send(framed(channel.error, Buffer.from(statusOf(code))), () => socket.close(1000));
  };
  function inTerminal(socket: WebSocket, [program = '', ...args]: readonly string[]): void {
    const pty = spawn(program, args, { name: 'xterm', cols: 80, rows: 24, env, encoding: null });
    ptys.push(pty);
    pty.onData((data: unknown) => socket.send(framed(channel.stdout, data as Buffer), { binary: true }));
    pty.onExit(({ exitCode, signal }) => ended(socket, signal ? 128 + signal : exitCode));
    socket.on('message', (message) => {
      const [id, ...rest] = message as Buffer;
      const data = Buffer.from(rest);
      if (id === channel.stdin) pty.write(data.toString());
      if (id !== channel.resize) return;
      const { Width, Height } = JSON.parse(data.toString()) as { readonly Width: number; readonly Height: number };
      pty.resize(Width, Height);
    });
  }
  function inPipes(socket: WebSocket, command: readonly string[]): void {
    plain.push(command);
    const [program = '', ...args] = command;
    const child = spawnPlain(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', (data: Buffer) => socket.send(framed(channel.stdout, data)));
    child.once('close', (code) => ended(socket, code ?? 1));
  }

  server.on('upgrade', (request, socket, head) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost');
    sockets.handleUpgrade(request, socket, head, (open) => {
      const command = searchParams.getAll('command');
      if (searchParams.get('tty') === 'true') inTerminal(open, command);
      else inPipes(open, command);
    });
  });
  const { url, stop } = await listen(server, '127.0.0.1', 0);
  const config = new KubeConfig();
  config.loadFromClusterAndUser({ name: 'pty', server: url, skipTLSVerify: true }, { name: 'nobody' });

  const runs = (pid: number): boolean => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  return {
    config,
    ptys,
    plain,
    runs,
    stop: async () => {
      for (const { pid } of ptys) if (runs(pid)) process.kill(pid, 'SIGKILL');
      for (const one of sockets.clients) one.terminate();
      await stop();
    },
  };
}
