import { type WebSocket, WebSocketServer } from 'ws';
import type { Log } from '../../surroundings.ts';
import { traceOf } from '../../thrown.ts';
import type { Call } from '../call.ts';
import type { Exit, Stdio } from '../podProcesses.ts';
import { StatusError } from '../status.ts';
import { type Subprotocol, subprotocolOf } from './channels.ts';
import { type Wanted, connect } from './connection.ts';

/** How many there may be at a time, and when one counts as over. */
export interface SessionLimits {
  readonly most: number;
  readonly pingMs: number;
  readonly idleMs: number;
}

/** Those of 200 terminals, of commands that end their shells, and of people with kubectl. */
const usual: SessionLimits = { most: 512, pingMs: 30_000, idleMs: 4 * 3_600_000 };
const largestMessage = 1_024 * 1_024;

type Serve = (stdio: Stdio) => Promise<Exit>;

/** The streaming connections of clients, as many as are allowed at a time. */
export interface Sessions {
  /** Refuses what cannot be served, before anything is upgraded. */
  readonly check: (call: Call) => Subprotocol;
  readonly open: (call: Call, wanted: Wanted, serve: Serve) => void;
  readonly stop: () => void;
}

/** Upgrades requests to WebSockets and runs what they ask for until it ends or the client is gone. */
export function createSessions(log: Log, limits = usual): Sessions {
  const open = new Set<WebSocket>();
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: largestMessage,
    handleProtocols: (_, request) => subprotocolOf(request),
  });

  function check({ request }: Call): Subprotocol {
    const protocol = subprotocolOf(request);
    if (open.size >= limits.most)
      throw new StatusError(429, 'TooManyRequests', 'too many streaming connections are open, please try again later');
    return protocol;
  }

  async function run(socket: WebSocket, wanted: Wanted, serve: Serve): Promise<void> {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    const { stdio, finish } = connect(socket, wanted, watchOver(socket, limits));
    await finish(await exitOf(serve, stdio));
  }

  return {
    check,
    open({ request, response }, wanted, serve) {
      const { socket } = request;
      response.detachSocket(socket);
      // Nothing more is answered on it: whoever counts open responses hears of its end.
      response.emit('close');
      server.handleUpgrade(request, socket, Buffer.alloc(0), (upgraded) => {
        run(upgraded, wanted, serve).catch((why: unknown) => {
          log('error', 'streaming connection failed', { cause: traceOf(why) });
          upgraded.terminate();
        });
      });
    },
    stop() {
      for (const socket of open) socket.terminate();
    },
  };
}

async function exitOf(serve: Serve, stdio: Stdio): Promise<Exit> {
  try {
    return await serve(stdio);
  } catch (why) {
    return { is: 'failed', why: why instanceof Error ? why.message : String(why) };
  }
}

/** Ends a connection whose client no longer answers, and one on which neither side says anything; is told of the own. */
function watchOver(socket: WebSocket, { pingMs, idleMs }: SessionLimits): () => void {
  let isAlive = true;
  let busyAt = Date.now();
  socket.on('pong', () => (isAlive = true));
  socket.on('message', () => {
    isAlive = true;
    busyAt = Date.now();
  });
  const timer = setInterval(() => {
    // A client that is held back cannot answer: its own connection tells whether it is there.
    if (!(isAlive || socket.isPaused) || Date.now() - busyAt > idleMs) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, pingMs);
  socket.once('close', () => clearInterval(timer));
  return () => void (busyAt = Date.now());
}
