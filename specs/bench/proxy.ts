import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

/** How a server or the way to it misbehaves towards watches. */
export type Trouble =
  | 'none'
  /** Connections of before stay open and carry nothing more; new ones work. */
  | 'halfOpen'
  /** Nothing is answered at all, on old connections and new ones. */
  | 'silent'
  /** Watches are ended, and every new one is refused with 429. */
  | 'tooMany'
  /** Watches are ended, and the next one is told that its version is too old. */
  | 'gone';

/** A proxy of the API server that misbehaves on request and counts requests. */
export interface Proxy {
  readonly url: string;
  readonly set: (trouble: Trouble) => void;
  readonly stop: () => Promise<void>;
}

interface Upstream {
  readonly url: string;
  readonly caPem: string;
  readonly token: string;
}

const expired = JSON.stringify({
  type: 'ERROR',
  object: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 410, reason: 'Expired', message: 'too old' },
});
const tooMany = JSON.stringify({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  code: 429,
  reason: 'TooManyRequests',
  message: 'too many requests',
});

/** Plain HTTP on loopback in front of an API server. */
export async function startProxy({ url, caPem, token }: Upstream): Promise<Proxy> {
  const agent = new https.Agent({ keepAlive: true, ca: caPem });
  const sockets = new Set<Socket>();
  /** Watches under way, each with what cuts its way from the server. */
  const watches = new Map<ServerResponse, () => void>();
  let trouble: Trouble = 'none';
  let told = new Set<string>();

  const isWatch = ({ url: path = '' }: IncomingMessage) => path.includes('watch=true');

  function relay(request: IncomingMessage, response: ServerResponse) {
    const { 'content-length': length, 'content-type': type, accept } = request.headers;
    const headers = {
      Authorization: `Bearer ${token}`,
      ...(length !== undefined && { 'Content-Length': length }),
      ...(type !== undefined && { 'Content-Type': type }),
      ...(accept !== undefined && { Accept: accept }),
    };
    const { method, url: path = '' } = request;
    const upstream = https.request(`${url}${path}`, { agent, headers, ...(method && { method }) }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.on('data', (chunk: Buffer) => response.write(chunk));
      answer.on('end', () => response.end());
      answer.on('error', () => {});
      if (!isWatch(request)) return;
      watches.set(response, () => {
        answer.removeAllListeners('data').removeAllListeners('end');
        upstream.destroy();
      });
      response.once('close', () => {
        watches.delete(response);
        upstream.destroy();
      });
    });
    upstream.on('error', () => {});
    request.pipe(upstream);
  }

  const server = http.createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    if (trouble === 'silent') return;
    if (trouble === 'tooMany' && isWatch(request)) {
      response.writeHead(429, { 'Content-Type': 'application/json', 'Retry-After': '1' });
      response.end(tooMany);
    } else if (trouble === 'gone' && isWatch(request) && !told.has(path)) {
      told.add(path);
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(`${expired}\n`);
    } else relay(request, response);
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set: (next) => {
      trouble = next;
      told = new Set();
      if (next === 'none') return;
      for (const [response, cut] of watches) {
        cut();
        if (next === 'tooMany' || next === 'gone') response.end();
      }
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
      agent.destroy();
    },
  };
}
