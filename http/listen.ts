import type { Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { isolateRequests } from '../runtime/embedded/index.ts';
import { stopOf } from '../runtime/services/connections.ts';
import { logLine } from '../runtime/services/log.ts';

/** A listening server. */
export interface Listening {
  readonly url: string;
  /** Stops accepting requests, lets running ones finish, and closes the remaining connections after a moment. */
  readonly stop: () => Promise<void>;
}

const endWithinMs = 800;

/** Listens on a port, or on any free one for 0, each request by itself; fails when the port is taken. */
export function listen(server: Server | SecureServer, host: string, port: number): Promise<Listening> {
  const stop = stopOf(server, endWithinMs);
  isolateRequests(server, {
    onError: ({ message }) => logLine('warn', 'server failed', { host, port, error: message }),
  });
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
