import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { isolateRequests } from '../../requests.ts';
import { connectFirst, splice } from '../connect.ts';
import { type Standing, forward } from './forward.ts';
import { forwarded } from './headers.ts';

/** Where a request goes, or why it goes nowhere. */
export type Way =
  | ({ readonly is: 'backends' } & Standing)
  | { readonly is: 'refused'; readonly status: 404 | 503 | 504; readonly why: string };

/** A request, and where to say what is to be done once it is answered or its visitor has left. */
export interface Visit {
  readonly request: IncomingMessage;
  readonly over: (done: () => void) => void;
}

export interface VisitsOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly wayOf: (visit: Visit) => Way | Promise<Way>;
  /** How visitors are served over TLS; left out where they are not. */
  readonly secure?: Pick<ServerOptions, 'SNICallback'>;
}

export interface Visits {
  readonly port: number;
  readonly stop: () => void;
}

const phrases = { 404: 'Not Found', 503: 'Service Unavailable', 504: 'Gateway Timeout' } as const;
const limits = { maxHeaderSize: 64 * 1_024, requestTimeout: 0, keepAliveTimeout: 65_000 };

/** Lets visitors in, and leads each request where it is to go. */
export async function startVisits({ host, port, wayOf, secure }: VisitsOptions): Promise<Visits> {
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const way = await wayOf({ request, over: (done) => void response.once('close', done) });
    if (way.is === 'refused') return say(response, way.status, way.why);
    const came = await forward(request, response, way);
    if (came === 'done') return;
    const asked = `${hostOf(request)}${pathOf(request)}`;
    if (came === 'unanswered') say(response, 502, `No pod behind ${asked} answered.`);
    else say(response, 502, `A pod behind ${asked} answered with what is not HTTP: ${came.why}.`);
  }

  /** What follows an upgrade is no HTTP: both ends are tied together, the request first. */
  async function upgrade(request: IncomingMessage, visitor: Socket, head: Buffer) {
    visitor.on('error', () => {});
    const way = await wayOf({ request, over: (done) => void visitor.once('close', done) });
    const connected = way.is === 'backends' ? await connectFirst(way.backends) : null;
    if (connected === null) {
      const status = way.is === 'refused' ? way.status : 503;
      const line = `HTTP/1.1 ${status} ${phrases[status]}`;
      return void visitor.end(`${line}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    }
    connected.socket.write(requestText(request));
    connected.socket.write(head);
    splice(visitor, connected.socket);
  }

  const server = secure ? createSecureServer({ ...limits, ...secure }) : createServer(limits);
  // A connection that cannot be accepted is its visitor's to open once more.
  isolateRequests(server, { onError: () => {} });
  server.on('request', (request, response) => void answer(request, response));
  server.on('upgrade', (request, socket, head) => void upgrade(request, socket as Socket, head));
  await new Promise<void>((done, failed) => server.on('error', failed).listen({ host, port }, done));
  return {
    port: (server.address() as AddressInfo).port,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

export const hostOf = ({ headers: { host = '' } }: IncomingMessage) =>
  host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');

export const pathOf = ({ url = '/' }: IncomingMessage) => url.split('?', 1)[0] ?? '/';

function requestText(request: IncomingMessage): string {
  const raw = forwarded(request);
  const lines = Array.from({ length: raw.length / 2 }, (_, index) => `${raw[2 * index]}: ${raw[2 * index + 1]}\r\n`);
  return `${request.method} ${request.url} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

function say(response: ServerResponse, status: number, why: string): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(`${why}\n`);
}
