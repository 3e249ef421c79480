import type { RawData, WebSocket } from 'ws';
import type { ExecEnd } from '../../runtime/services/exec.ts';
import type { EndReason, OpenTerminal } from '../../runtime/terminals/terminal.ts';
import { frameIn } from './frames.ts';

/** More than this is not on its way to a client: what it has not taken, or has not acknowledged. */
export const maxUnderWay = 256 * 1_024;
const pingMs = 15_000;
const pingsMissed = 2;
/** A client that reads no more is left after this time. */
const closeWithinMs = 5_000;

const closes: Readonly<Record<EndReason, readonly [number, string]>> = {
  exited: [1000, 'Terminal closed'],
  left: [1000, 'Terminal closed'],
  taken: [1000, 'Terminal closed'],
  broken: [1000, 'Terminal closed'],
  limit: [1008, 'Session time limit reached'],
  stopping: [1001, 'the server stops'],
};

/** Carries a terminal over a WebSocket until one of the two ends; neither side is read faster than the other takes. */
export function converse(socket: WebSocket, { stream, end, onEnd }: OpenTerminal, everyMs = pingMs): void {
  let sent = 0;
  let acked: number | null = null;
  let isHeld = false;

  const close = (code: number, reason: string) => {
    socket.resume();
    socket.close(code, reason);
    setTimeout(() => socket.terminate(), closeWithinMs).unref();
  };
  const balance = () => {
    const isFull = socket.bufferedAmount > maxUnderWay || (acked !== null && sent - acked >= maxUnderWay);
    if (isFull === isHeld) return;
    isHeld = isFull;
    stream.hold(isHeld);
  };
  const wrong = (text: string) => {
    close(1008, text);
    end('left');
  };

  onEnd((why) => close(...closes[why]));
  socket.on('error', () => end('left'));
  socket.on('close', () => end('left'));
  socket.on('message', (message: RawData, isBinary) => {
    const data = message as Buffer;
    if (isBinary) {
      if (!stream.write(data)) socket.pause();
      return;
    }
    const frame = frameIn(data.toString());
    if (frame.is === 'resize') return stream.resize({ cols: frame.cols, rows: frame.rows });
    if (frame.is === 'wrong' || frame.bytes > sent) return wrong('the text frame is not understood');
    acked = Math.max(acked ?? 0, frame.bytes);
    balance();
  });
  keepAlive(socket, everyMs, () => end('left'));

  stream.listen({
    output: (data) => {
      sent += data.length;
      socket.send(data, balance);
      balance();
    },
    drained: () => socket.resume(),
    ended: (last: ExecEnd) => {
      if (last.is === 'exited' && socket.readyState === socket.OPEN)
        socket.send(JSON.stringify({ exit: { code: last.code } }));
      end(last.is === 'exited' ? 'exited' : 'broken');
    },
  });
}

/** Notices a client that went away without a word; one that is held back cannot answer. */
function keepAlive(socket: WebSocket, everyMs: number, gone: () => void): void {
  let missed = 0;
  const heard = () => (missed = 0);
  socket.on('pong', heard).on('message', heard);
  const timer = setInterval(() => {
    if (missed >= pingsMissed) {
      gone();
      return socket.terminate();
    }
    if (!socket.isPaused) missed++;
    if (socket.readyState === socket.OPEN) socket.ping();
  }, everyMs);
  socket.once('close', () => clearInterval(timer));
}
