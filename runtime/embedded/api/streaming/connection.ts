import { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { callbackify } from 'node:util';
import type { RawData, WebSocket } from 'ws';
import { isJson, numberAt } from '../json.ts';
import type { Exit, Stdio, WindowSize } from '../podProcesses.ts';
import { canClose, channel } from './channels.ts';
import { exitStatus } from './exitStatus.ts';

/** Which streams the client asked for. */
export interface Wanted {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** kubectl before 1.33 reads before its streams stand and drops what comes then; a cluster farther away is never so quick. */
const settleMs = 50;

/** The streams of one client, and the word that ends them. */
export interface Connection {
  readonly stdio: Stdio;
  readonly finish: (exit: Exit) => Promise<void>;
}

/** Spreads a WebSocket over the streams of a process; `said` hears of output. A slow reader slows the other side down. */
export function connect(socket: WebSocket, wanted: Wanted, said: () => void): Connection {
  const gone = new AbortController();
  const settled = sleep(settleMs);
  const writer = (id: number) =>
    outgoing(async (data) => {
      if (data.length === 0) return;
      said();
      await settled;
      await sent(socket, framed(id, data));
    });
  const stdin = new Readable({ read: () => socket.resume() });
  const stdout = wanted.stdout ? writer(channel.stdout) : discarding();
  const stderr = wanted.stderr && !wanted.tty ? writer(channel.stderr) : discarding();
  let size: WindowSize | null = null;
  let resized: (size: WindowSize) => void = () => {};
  let hasEnded = false;
  const closes = canClose(socket.protocol);

  // Nothing at all on the first channel that is written to: clients take it as the sign that they are connected.
  void settled.then(() => sent(socket, framed(firstWritten(wanted), Buffer.alloc(0)))).catch(nothing);
  socket.on('message', (message: RawData) => {
    const data = bytesOf(message);
    const [id] = data;
    const rest = data.subarray(1);
    // What comes after the end is lost, as in a pipe that nobody reads.
    if (id === channel.stdin && wanted.stdin && !hasEnded && rest.length > 0 && !stdin.push(rest)) socket.pause();
    if (id === channel.close && closes && rest.length === 1 && rest[0] === channel.stdin) {
      hasEnded = true;
      stdin.push(null);
    }
    const asked = id === channel.resize ? sizeOf(rest) : null;
    if (asked) resized((size = asked));
  });
  const leave = () => {
    gone.abort();
    for (const stream of [stdin, stdout, stderr]) stream.destroy();
  };
  socket.on('close', leave);
  // The WebSocket ends itself and says why: cut off here, the client would be reset before it has read that.
  socket.on('error', leave);

  return {
    stdio: {
      stdin: wanted.stdin ? stdin : null,
      stdout,
      stderr,
      tty: wanted.tty,
      size: () => size,
      onResize: (heard) => {
        resized = heard;
        if (size) heard(size);
      },
      gone: gone.signal,
    },
    async finish(exit) {
      await Promise.all([settled, flushed(stdout), flushed(stderr)]);
      const status = Buffer.from(JSON.stringify(exitStatus(exit)));
      if (socket.readyState !== socket.OPEN) return;
      socket.resume();
      socket.send(framed(channel.error, status), () => socket.close(1000));
    },
  };
}

const firstWritten = ({ stdout, stderr, tty }: Wanted) =>
  stdout ? channel.stdout : stderr && !tty ? channel.stderr : channel.error;

const framed = (id: number, data: Buffer) => Buffer.concat([Buffer.of(id), data]);

function bytesOf(message: RawData): Buffer {
  if (Array.isArray(message)) return Buffer.concat(message);
  return message instanceof ArrayBuffer ? Buffer.from(message) : message;
}

const nothing = () => {};

const sent = (socket: WebSocket, message: Buffer) =>
  new Promise<void>((done, failed) => socket.send(message, (failure) => (failure ? failed(failure) : done())));

/** What is written goes on only when the last is on its way. */
function outgoing(send: (data: Buffer) => Promise<void>): Writable {
  const write = callbackify(send);
  const writer = new Writable({ write: (data: Buffer, _, done) => write(data, (failure) => done(failure)) });
  return writer.on('error', nothing);
}

const discarding = () => new Writable({ write: (_data, _encoding, done) => done() });

function flushed(writer: Writable): Promise<void> {
  return new Promise((done) => {
    if (writer.destroyed) return done();
    writer.once('close', done);
    writer.end(done);
  });
}

function sizeOf(text: Buffer): WindowSize | null {
  try {
    const parsed: unknown = JSON.parse(text.toString());
    if (!isJson(parsed)) return null;
    return { rows: numberAt(parsed, 'Height'), columns: numberAt(parsed, 'Width') };
  } catch {
    return null;
  }
}
