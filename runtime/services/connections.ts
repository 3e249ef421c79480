import type { Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';

const limitMs = 10_000;

/** How long a client may take for its TLS handshake, even if it sends no byte, and for the headers of a request. */
export const connectionLimits = {
  handshakeTimeout: limitMs,
  headersTimeout: limitMs,
  connectionsCheckingInterval: limitMs / 10,
} as const;

/**
 * Stops a server: it accepts no further connection, lets running requests end, and cuts the remaining connections after
 * `endWithinMs`. Must be called before the server listens.
 */
export function stopOf(server: Server | SecureServer, endWithinMs: number): () => Promise<void> {
  const sockets = new Set<Socket>();
  // A connection is not in the server's own list before its TLS handshake is done.
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return () =>
    new Promise((resolve) => {
      const cut = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, endWithinMs);
      server.close(() => {
        clearTimeout(cut);
        resolve();
      });
      server.closeIdleConnections();
    });
}
