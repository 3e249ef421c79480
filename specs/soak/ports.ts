import { createServer } from 'node:net';

/** Below those the system hands out for outgoing connections: nobody takes one while its owner is being restarted. */
const first = 20_000;
const last = 31_000;
let next = first + (process.pid % (last - first));

const isFree = (port: number) =>
  new Promise<boolean>((told) => {
    const server = createServer();
    server.once('error', () => told(false));
    server.listen(port, '127.0.0.1', () => server.close(() => told(true)));
  });

/** A port on loopback that stays the same over restarts of who listens there. */
export async function lastingPort(): Promise<number> {
  for (let tries = last - first; tries > 0; tries--) {
    next = next >= last ? first : next + 1;
    if (await isFree(next)) return next;
  }
  throw new Error('no port is free');
}
