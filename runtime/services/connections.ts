import type { Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';

const limitMs = 10_000;

/** How long a client may take for its TLS handshake, from the first byte or none, and for the headers of a request. */
export const connectionLimits = {
  handshakeTimeout: limitMs,
  headersTimeout: limitMs,
  connectionsCheckingInterval: limitMs / 10,
} as const;

/**
 * How a server stops: it takes no further connection, lets the requests that run end, and cuts every connection that is
 * left after a moment. Asked for before the server listens.
 */
export function stopOf(server: Server | SecureServer, endWithinMs: number): () => Promise<void> {
  const sockets = new Set<Socket>();
  // Before its TLS handshake is over, a connection is known to no list of the server's own.
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
