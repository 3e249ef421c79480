import type { Agent, ClientRequest, IncomingMessage, request as requestOf } from 'node:http';
import { isClosed, ProxyUnreached } from './failure.ts';
import { proxyHeaders } from './proxy.ts';

/** One request as it is sent. */
export interface Outgoing {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Gives the request up. */
  readonly signal?: AbortSignal | undefined;
  /** Takes what gives the request up from here on; again when it is sent once more. */
  readonly onSent: (giveUp: () => void) => void;
}

/** Where requests go through. */
export interface Way {
  readonly agent: Agent;
  readonly proxy: URL | null;
  readonly request: typeof requestOf;
}

const maxConnectMs = 10_000;

/** A request to a proxy names the whole address. */
const placeOf = (url: URL, proxy: URL | null) =>
  proxy !== null && url.protocol === 'http:'
    ? {
        protocol: proxy.protocol,
        host: proxy.hostname,
        port: proxy.port || 80,
        path: url.href,
        headers: { host: url.host, ...proxyHeaders(proxy) },
      }
    : {
        protocol: url.protocol,
        host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
        port: url.port,
        path: `${url.pathname}${url.search}`,
        headers: { host: url.host },
      };

/** Ends a request with the signal. Watched by hand: the option of a request costs a fifth of a short exchange. */
function endWith(request: ClientRequest, signal: AbortSignal, giveUp: () => void): void {
  if (signal.aborted) return giveUp();
  signal.addEventListener('abort', giveUp);
  request.once('close', () => signal.removeEventListener('abort', giveUp));
}

/** Ends a request whose connection does not come about. */
export function limitConnecting(request: ClientRequest, opened: 'connect' | 'secureConnect', isTunnelled: boolean) {
  // To the proxy, which has a limit of its own, and to the host behind it.
  const withinMs = isTunnelled ? 2 * maxConnectMs : maxConnectMs;
  let timer: NodeJS.Timeout | undefined;
  let isConnected = false;
  const connected = () => {
    isConnected = true;
    clearTimeout(timer);
  };
  const begin = () => {
    timer ??= setTimeout(() => {
      request.destroy(new Error(`no connection within ${withinMs / 1_000} seconds`));
    }, withinMs);
  };
  // The socket of a tunnel belongs to the request only once the tunnel is established.
  if (isTunnelled) begin();
  request.once('socket', (socket) => {
    if (!socket.connecting) return connected();
    begin();
    socket.once(opened, connected);
  });
  // A connection that failed is not waited for.
  request.once('error', () => clearTimeout(timer));
  return { connected, isConnected: () => isConnected };
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/**
 * Sends a request; resolves with the head of its answer. What changes something takes a connection of its own and is
 * sent once; a read whose kept connection had been closed meanwhile is sent once more.
 */
export function send(outgoing: Outgoing, way: Way, again = true): Promise<IncomingMessage> {
  const { url, method, headers, body, signal, onSent } = outgoing;
  const { headers: ofPlace, ...place } = placeOf(url, way.proxy);
  const isTunnelled = way.proxy !== null && url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const request = way.request({
      ...place,
      method,
      headers: { ...ofPlace, ...headers },
      agent: isRead(method) || isTunnelled ? way.agent : false,
    });
    // A cancelled request is not a broken connection and is not sent a second time.
    const giveUp = () => void request.destroy(new Error('the request was given up'));
    onSent(giveUp);
    if (signal !== undefined) endWith(request, signal, giveUp);
    const opened = place.protocol === 'https:' ? 'secureConnect' : 'connect';
    const { connected, isConnected } = limitConnecting(request, opened, isTunnelled);
    request.once('response', (response) => {
      connected();
      resolve(response);
    });
    request.once('error', (error) => {
      const isStale = request.reusedSocket && isRead(method) && isClosed(error);
      if (isStale && again) resolve(send(outgoing, way, false));
      else reject(way.proxy !== null && !isTunnelled && !isConnected() ? new ProxyUnreached(way.proxy, error) : error);
    });
    request.end(body);
  });
}
