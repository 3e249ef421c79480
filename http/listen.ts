import type { Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { stopOf } from '../runtime/services/connections.ts';

/** A listening server. */
export interface Listening {
  readonly url: string;
  /** Stops accepting requests, lets running ones finish, and closes the remaining connections after a moment. */
  readonly stop: () => Promise<void>;
}

const endWithinMs = 800;

/** Listens on a port, or on any free one for 0; fails when the port is taken. */
export function listen(server: Server | SecureServer, host: string, port: number): Promise<Listening> {
  const stop = stopOf(server, endWithinMs);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const { port: given } = server.address() as AddressInfo;
      const name = host.includes(':') ? `[${host}]` : host;
      resolve({ url: `http://${name}:${given}`, stop });
    });
  });
}
