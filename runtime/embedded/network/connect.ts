import { type Socket, connect } from 'node:net';
import type { Backend } from './view.ts';

const attemptMs = 1_000;
/** Larger pieces cost fewer turns of the loop. */
export const pieceBytes = 256 * 1_024;

/** A connection that was taken, and the backends that were not tried. */
export interface Connected {
  readonly socket: Socket;
  readonly left: readonly Backend[];
}

/** A connection to the first backend that takes one; null where none does. Nothing was sent to those tried before. */
export async function connectFirst(backends: readonly Backend[]): Promise<Connected | null> {
  for (const [index, backend] of backends.entries()) {
    const socket = await attempt(backend);
    if (socket) return { socket, left: backends.slice(index + 1) };
  }
  return null;
}

function attempt({ ip, port }: Backend): Promise<Socket | null> {
  return new Promise((done) => {
    const options = { host: ip, port, allowHalfOpen: true, noDelay: true, highWaterMark: pieceBytes };
    const socket = connect(options);
    const give = (found: Socket | null) => {
      clearTimeout(timer);
      socket.off('error', failed).off('connect', connected);
      if (found === null) socket.on('error', nothing).destroy();
      done(found);
    };
    const failed = () => give(null);
    const connected = () => give(socket);
    const timer = setTimeout(failed, attemptMs);
    socket.once('error', failed).once('connect', connected);
  });
}

const nothing = () => {};

/** Carries both ways until both ends are done; what breaks one breaks the other. */
export function splice(one: Socket, other: Socket): void {
  const tie = (from: Socket, to: Socket) => {
    // Broken off here is broken off there: an end that looks orderly would pass for a whole answer.
    from.once('error', () => to.resetAndDestroy());
    from.once('close', () => to.destroyed || (from.readableEnded ? to.end() : to.destroy()));
  };
  tie(one, other);
  tie(other, one);
  if (one.destroyed || other.destroyed) {
    one.destroy();
    other.destroy();
    return;
  }
  one.pipe(other);
  other.pipe(one);
}
