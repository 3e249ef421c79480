import type { RawData, WebSocket } from 'ws';
import type { ExecEnd, ExecListener, ExecStream } from '../exec.ts';
import type { Status } from './failure.ts';

/** The first byte of every message is its channel. */
const channel = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const;

/** The most unsent bytes before writing pauses. */
const maxWaiting = 256 * 1_024;
const pingMs = 30_000;
const closeWithinMs = 2_000;

/** The status that ends a command; the exit code of a failed command is among its causes. */
export interface EndStatus extends Omit<Status, 'details'> {
  readonly status?: string;
  readonly details?: { readonly causes?: readonly { readonly reason?: string; readonly message?: string }[] };
}

export function endOf({ status, message = '', details }: EndStatus): ExecEnd {
  if (status === 'Success') return { is: 'exited', code: 0 };
  const code = details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message;
  return code === undefined ? { is: 'lost', why: message } : { is: 'exited', code: Number(code) };
}

function statusIn(text: Buffer): ExecEnd {
  try {
    return endOf(JSON.parse(text.toString()) as EndStatus);
  } catch {
    return { is: 'lost', why: 'the end of the command could not be read' };
  }
}

const bytesOf = (message: RawData): Buffer =>
  Array.isArray(message) ? Buffer.concat(message) : Buffer.from(message as Buffer);

function framed(id: number, data: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(data.length + 1);
  frame[0] = id;
  frame.set(data, 1);
  return frame;
}

/** The streams of a command over an open, paused connection. */
export function streamOver(socket: WebSocket): ExecStream {
  let end: ExecEnd | null = null;
  let listener: ExecListener | null = null;
  let isFull = false;
  let isOver = false;

  const finish = (last: ExecEnd) => {
    if (isOver) return;
    isOver = true;
    listener?.ended(end ?? last);
  };
  const send = (frame: Buffer) =>
    socket.send(frame, () => {
      if (!isFull || socket.bufferedAmount > maxWaiting / 2) return;
      isFull = false;
      listener?.drained();
    });
  socket.on('message', (message) => {
    const data = Buffer.isBuffer(message) ? message : bytesOf(message);
    const [id] = data;
    const rest = data.subarray(1);
    if ((id === channel.stdout || id === channel.stderr) && rest.length > 0) listener?.output(rest);
    if (id === channel.error && rest.length > 0) {
      end = statusIn(rest);
      socket.close(1000);
      finish(end);
    }
  });
  socket.on('error', ({ message }) => finish({ is: 'lost', why: message }));
  socket.on('close', () => finish({ is: 'lost', why: 'the connection to the cluster ended' }));
  watchOver(socket);

  return {
    listen: (given) => {
      listener = given;
      socket.resume();
      // Ended before there was a listener.
      if (isOver) given.ended(end ?? { is: 'lost', why: 'the connection to the cluster ended' });
    },
    write: (data) => {
      if (socket.readyState !== socket.OPEN) return true;
      send(framed(channel.stdin, data));
      isFull = socket.bufferedAmount > maxWaiting;
      return !isFull;
    },
    resize: ({ cols, rows }) => {
      if (socket.readyState === socket.OPEN)
        send(framed(channel.resize, Buffer.from(JSON.stringify({ Width: cols, Height: rows }))));
    },
    hold: (isHeld) => (isHeld ? socket.pause() : socket.resume()),
    close: () => {
      socket.resume();
      socket.close(1000);
      setTimeout(() => socket.terminate(), closeWithinMs).unref();
    },
  };
}

/** Ends a connection whose peer disappeared silently; a paused connection cannot respond. */
function watchOver(socket: WebSocket): void {
  let missed = 0;
  const heard = () => (missed = 0);
  socket.on('pong', heard).on('message', heard);
  const timer = setInterval(() => {
    if (!socket.isPaused && ++missed > 2) return socket.terminate();
    if (socket.readyState === socket.OPEN) socket.ping();
  }, pingMs);
  socket.once('close', () => clearInterval(timer));
}
