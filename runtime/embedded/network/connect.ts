import { type Socket, connect } from 'node:net';
import { pipeline } from 'node:stream';
import type { Backend } from './view.ts';

/** The connections to pods that are open now, by address. */
const open = new Map<string, Set<Socket>>();

const attemptMs = 1_000;
/** Silence after which it is asked whether the other end is still there. */
const aliveAfterMs = 10_000;
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
    let soon: NodeJS.Immediate | undefined;
    const give = (found: Socket | null) => {
      clearTimeout(timer);
      clearImmediate(soon);
      socket.off('error', failed).off('connect', connected);
      if (found === null) socket.on('error', nothing).destroy();
      done(found);
    };
    const failed = () => give(null);
    const connected = () => {
      socket.setKeepAlive(true, aliveAfterMs);
      keep(ip, socket);
      give(socket);
    };
    // A process that got no turn meanwhile first hears what came of it.
    const timer = setTimeout(() => {
      soon = setImmediate(failed);
    }, attemptMs);
    socket.once('error', failed).once('connect', connected);
  });
}

const nothing = () => {};

function keep(ip: string, socket: Socket): void {
  const kept = open.get(ip) ?? new Set();
  open.set(ip, kept.add(socket));
  socket.once('close', () => {
    kept.delete(socket);
    if (kept.size === 0 && open.get(ip) === kept) open.delete(ip);
  });
}

/** Ends what leads to a pod that is gone: its network went with it, so that nothing of its end need have arrived. */
export function breakOff(ip: string): void {
  for (const socket of open.get(ip) ?? []) socket.destroy(new Error(`the pod at ${ip} is gone`));
}

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
  pipeline(one, other, nothing);
  pipeline(other, one, nothing);
}
