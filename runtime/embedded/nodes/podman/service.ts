import { spawn } from 'node:child_process';
import { existsSync, openSync, closeSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { BadData } from '../../badData.ts';
import { withRemedy } from './remedies.ts';
import { makeFolder } from '../../makeFolder.ts';

const defaultSocket = '/run/podman/podman.sock';
const startWithinMs = 20_000;
const pauseMs = 50;

export interface ServiceOptions {
  /** A socket that somebody else serves. */
  readonly socket?: string | undefined;
  /** Where the socket of a service of our own is, and what it says. */
  readonly folder: string;
}

/** The socket at which podman answers: the one that is named, the machine's, or that of a service that outlives us. */
export async function podmanSocket({ socket, folder }: ServiceOptions): Promise<string> {
  if (socket !== undefined) {
    if (await listens(socket)) return socket;
    throw new BadData(`nobody answers at CORE_PODMAN_SOCKET ${socket}: start podman system service there`);
  }
  const own = join(folder, 'podman.sock');
  if (await listens(own)) return own;
  if (await listens(defaultSocket)) return defaultSocket;
  return startService(own, folder);
}

const listens = (socket: string): Promise<boolean> =>
  new Promise((done) => {
    if (!existsSync(socket)) return done(false);
    const connection = connect(socket, () => {
      connection.destroy();
      done(true);
    });
    connection.on('error', () => done(false));
  });

/** The service is no child that ends with us: containers and their streams are served on while the server is away. */
async function startService(socket: string, folder: string): Promise<string> {
  makeFolder(folder, 0o700);
  rmSync(socket, { force: true });
  const said = join(folder, 'service.log');
  const out = openSync(said, 'w', 0o600);
  const child = spawn('podman', ['system', 'service', '--time=0', `unix://${socket}`], {
    detached: true,
    stdio: ['ignore', out, out],
    // What watches a container leaves a file where it was started when the container runs out of memory.
    cwd: folder,
  });
  closeSync(out);
  let ended: string | null = null;
  child.on('error', (why: NodeJS.ErrnoException) => (ended = why.code === 'ENOENT' ? absent : why.message));
  child.once(
    'exit',
    (code) => (ended ??= withRemedy(`podman system service ended with ${String(code)}: ${wordsIn(said)}`)),
  );
  child.unref();
  for (const until = Date.now() + startWithinMs; Date.now() < until; await pause(pauseMs)) {
    if (ended !== null) throw new BadData(ended);
    if (await listens(socket)) return socket;
  }
  throw new BadData(`podman system service does not answer at ${socket}: ${wordsIn(said)}`);
}

export const absent = 'there is no podman on this machine: install podman 4.3 or newer';

const wordsIn = (file: string) => readFileSync(file, 'utf8').trim().split('\n').slice(-3).join('; ');
