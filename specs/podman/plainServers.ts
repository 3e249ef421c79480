import { createServer as httpServer, type RequestListener, type Server as HttpServer } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

/** Servers at addresses of pods, and clients that connect from there. */
export interface Plain {
  readonly stop: () => Promise<void>;
  /** The connections that it had. */
  readonly connections: () => number;
}

async function started(server: Server | HttpServer, ip: string, port: number): Promise<Plain> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => {}));
  });
  server.listen(port, ip);
  await once(server, 'listening');
  return {
    connections: () => connections,
    stop: async () => {
      const closed = new Promise((done) => server.close(done));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

export const tcpAt = (ip: string, port: number, serve: (socket: Socket) => void): Promise<Plain> =>
  started(createServer({ allowHalfOpen: true }, serve), ip, port);

export const httpAt = (ip: string, port: number, answer: RequestListener): Promise<Plain> =>
  started(httpServer(answer), ip, port);

/** Says its name to everybody. */
export const greeter = (ip: string, port = 8080): Promise<Plain> => tcpAt(ip, port, (socket) => void socket.end(ip));

/** All that somebody is told who connects, or why it broke off. */
export async function told(ip: string, port: number, from?: string): Promise<string> {
  const socket = connect({ host: ip, port, ...(from !== undefined && { localAddress: from }) });
  let text = '';
  try {
    for await (const piece of socket) text += String(piece);
    return text;
  } catch (why) {
    return `${text}${(why as NodeJS.ErrnoException).code}`;
  }
}
