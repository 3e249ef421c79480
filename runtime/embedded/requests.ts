import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:net';
import type { Duplex } from 'node:stream';

/** A request that a server of this thread received, and that may still be under way. */
export interface ServedRequest {
  readonly method: string;
  /** What the log calls the address that was asked: never its query. */
  route: () => string;
  /** Answers 500, or closes the connection where bytes went out. */
  end: () => void;
}

/**
 * A class and no literal: V8 allocates the objects of a literal that often survive among the old ones, and then all that
 * they refer to, each request with its response, stays until a full garbage collection.
 */
class Served implements ServedRequest {
  readonly method: string;
  route: () => string;
  end: () => void;
  constructor(method: string, route: () => string, end: () => void) {
    this.method = method;
    this.route = route;
    this.end = end;
  }
}

interface IsolateOptions {
  /** Called with what fails of the server itself, such as a connection that could not be accepted. */
  readonly onError: (error: Error) => void;
  /** Names the address of a request where its path must not be logged. */
  readonly routeOf?: (request: IncomingMessage) => string;
}

const requests = new AsyncLocalStorage<ServedRequest>();
/** The error that left a request most recently: outside `run` its store is gone. */
let left: { readonly error: unknown; readonly request: ServedRequest } | null = null;

/** The request that the calling code runs for. */
export const currentRequest = (): ServedRequest | undefined => requests.getStore();

/** The request that an uncaught error comes from. */
export const requestOf = (error: unknown): ServedRequest | undefined =>
  left !== null && Object.is(left.error, error) ? left.request : requests.getStore();

type Emit = (event: string | symbol, ...given: readonly unknown[]) => boolean;

function attempt(request: ServedRequest, emit: Emit, given: Parameters<Emit>): boolean {
  try {
    return emit(...given);
  } catch (error) {
    left = { error, request };
    throw error;
  }
}

const emitFor = (request: ServedRequest, emit: Emit, given: Parameters<Emit>): boolean =>
  requests.getStore() === request ? emit(...given) : requests.run(request, attempt, request, emit, given);

/** Runs all listeners of an emitter for a request: what arrives on a connection belongs to no request otherwise. */
function bind(emitter: EventEmitter, request: ServedRequest): void {
  const emit = emitter.emit.bind(emitter) as Emit;
  const bound: Emit = (...given) =>
    // Most events have no listener; an error without one is thrown.
    emitter.listenerCount(given[0]) === 0 && given[0] !== 'error' ? false : emitFor(request, emit, given);
  emitter.emit = bound;
}

const events = new Set<string | symbol>(['request', 'upgrade', 'connect', 'checkContinue', 'checkExpectation']);

/** Runs each request of a server by itself, so that an error that nobody caught can be told to be of it. */
export function isolateRequests<S extends Server>(server: S, { onError, routeOf = pathOf }: IsolateOptions): S {
  const emit = server.emit.bind(server) as Emit;
  const begin: Emit = (event, ...given) => {
    if (!events.has(event)) return emit(event, ...given);
    const [asked, answer] = given as [IncomingMessage, ServerResponse | Duplex];
    const end = answer instanceof ServerResponse ? () => endResponse(answer) : endingOf(answer);
    const request = new Served(asked.method ?? '', () => routeOf(asked), end);
    bind(asked, request);
    bind(answer, request);
    answer.once('close', () => forget(request));
    return emitFor(request, emit, [event, ...given]);
  };
  server.emit = begin;
  server.on('error', (error) => {
    // While it begins to listen, whoever started it is told.
    if (server.listening) onError(error);
  });
  return server;
}

/** What a request began and outlives it, such as a kept connection, must not keep its body too. */
function forget(request: ServedRequest): void {
  const route = request.route();
  request.route = () => route;
  request.end = () => {};
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? '';

const failure = JSON.stringify({ error: 'internal error; see the operator log' });
const ofContent = /^(?:content-(?!security)|etag$|last-modified$|accept-ranges$|cache-control$|transfer-encoding$)/;

function endResponse(response: ServerResponse): void {
  if (response.writableEnded || response.destroyed) return;
  if (response.headersSent) return void response.destroy();
  for (const name of response.getHeaderNames()) if (ofContent.test(name)) response.removeHeader(name);
  response.writeHead(500, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    Connection: 'close',
  });
  response.end(failure);
}

/** Ends a connection that is to be upgraded; what other requests wrote on it before does not count. */
function endingOf(connection: Duplex & { readonly bytesWritten?: number }): () => void {
  const before = connection.bytesWritten;
  return () => {
    if (connection.destroyed) return;
    if (connection.bytesWritten !== before || !connection.writable) return void connection.destroy();
    connection.end('HTTP/1.1 500 Internal Server Error\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  };
}
