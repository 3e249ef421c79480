import { type Server, type Socket, createServer } from 'node:net';
import type { Backends, Wanted } from './backends.ts';
import { connectFirst, pieceBytes, splice } from './connect.ts';

/** A server that leads each connection to a backend of one port of a Service, or resets it where there is none. */
export function tcpServer(wanted: Wanted, backends: Backends): Server {
  const lead = async (client: Socket) => {
    const { remoteAddress: from = '', localAddress: reached = '' } = client;
    const connected = await connectFirst(await backends.of({ from, reached }, wanted));
    if (connected === null) client.resetAndDestroy();
    else splice(client, connected.socket);
  };
  const options = { allowHalfOpen: true, pauseOnConnect: true, noDelay: true, highWaterMark: pieceBytes };
  return createServer(options, (client) => {
    client.on('error', () => {});
    lead(client).catch(() => client.destroy());
    // A connection that cannot be accepted is its client's to open once more.
  }).on('error', () => {});
}
