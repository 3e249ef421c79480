import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { Backends } from '../backends.ts';
import { connectFirst, splice } from '../connect.ts';
import type { Current } from '../current.ts';
import type { Backend, View } from '../view.ts';
import { createCertificates } from './certificates.ts';
import { forward } from './forward.ts';
import { forwarded } from './headers.ts';
import { type Routes, routesOf, servedBy } from './routes.ts';

export interface IngressOptions {
  readonly current: Current;
  readonly backends: Backends;
  readonly host: string;
  readonly port: number;
  /** Whether visitors are served under the certificates that the Ingresses name. */
  readonly isSecure: boolean;
}

/** Where a request goes, or why it goes nowhere. */
type Way =
  | { readonly is: 'backends'; readonly backends: readonly Backend[] }
  | { readonly is: 'refused'; readonly status: 404 | 503; readonly why: string };

/** Leads visitors to Services by what the Ingresses say; gives what ends it. */
export async function startIngress({ current, backends, host, port, isSecure }: IngressOptions): Promise<() => void> {
  const routesNow = remembered(routesOf);

  function wayOf(request: IncomingMessage): Way {
    const view = current.view();
    const name = hostOf(request);
    const led = routesNow(view).of(name, pathOf(request));
    if (!led) return { is: 'refused', status: 404, why: `No Ingress leads ${name}${pathOf(request)} anywhere.` };
    const served = servedBy(view, led);
    const found = served ? backends.ofMachine(served.service, served.port, request.socket.remoteAddress ?? '') : [];
    if (found.length > 0) return { is: 'backends', backends: found };
    return { is: 'refused', status: 503, why: `No pod behind ${name}${pathOf(request)} is ready.` };
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const way = wayOf(request);
    if (way.is === 'refused') return say(response, way.status, way.why);
    const wasAnswered = await forward(request, response, way.backends);
    if (!wasAnswered) say(response, 502, `No pod behind ${hostOf(request)}${pathOf(request)} answered.`);
  }

  /** What follows an upgrade is no HTTP: both ends are tied together, the request first. */
  async function upgrade(request: IncomingMessage, visitor: Socket, head: Buffer) {
    visitor.on('error', () => {});
    const way = wayOf(request);
    const connected = way.is === 'backends' ? await connectFirst(way.backends) : null;
    if (connected === null) {
      const line = way.is === 'refused' && way.status === 404 ? '404 Not Found' : '503 Service Unavailable';
      return void visitor.end(`HTTP/1.1 ${line}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    }
    connected.socket.write(requestText(request));
    connected.socket.write(head);
    splice(visitor, connected.socket);
  }

  const certificates = createCertificates();

  /** A visitor of a host without a certificate that can be read is refused before a word of HTTP. */
  function certificateOf(name: string, give: (why: Error | null, context?: SecureContext) => void) {
    try {
      const context = certificates.of(current.view(), name.toLowerCase());
      if (context) give(null, context);
      else give(new Error(`no certificate is there for ${name}`));
    } catch (why) {
      give(why instanceof Error ? why : new Error(String(why)));
    }
  }

  const limits = { maxHeaderSize: 64 * 1_024, requestTimeout: 0, keepAliveTimeout: 65_000 };
  const server = isSecure ? createSecureServer({ ...limits, SNICallback: certificateOf }) : createServer(limits);
  server.on('request', (request, response) => void answer(request, response));
  server.on('upgrade', (request, socket, head) => void upgrade(request, socket as Socket, head));
  await new Promise<void>((done, failed) => server.on('error', failed).listen({ host, port }, done));
  return () => {
    server.close();
    server.closeAllConnections();
  };
}

/** Reckoned once for each view. */
function remembered(reckon: (view: View) => Routes): (view: View) => Routes {
  let last: { readonly view: View; readonly routes: Routes } | null = null;
  return (view) => {
    if (last?.view !== view) last = { view, routes: reckon(view) };
    return last.routes;
  };
}

const hostOf = ({ headers: { host = '' } }: IncomingMessage) =>
  host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');

const pathOf = ({ url = '/' }: IncomingMessage) => url.split('?', 1)[0] ?? '/';

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
