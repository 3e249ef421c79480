import { type Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isClosed } from './failure.ts';
import { proxyHeaders } from './proxy.ts';

/** One request as it goes out. */
export interface Outgoing {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** Where requests go through. */
export interface Way {
  readonly agent: Agent;
  readonly proxy: URL | null;
}

const connectAtMostMs = 10_000;

/** A proxy is asked for the whole address of what it fetches. */
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

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/**
 * Sends a request; resolves with the head of its answer. What changes something takes a connection of its own and is
 * sent once; a read whose kept connection had been closed meanwhile is sent once more.
 */
export function send(outgoing: Outgoing, way: Way, again = true): Promise<IncomingMessage> {
  const { url, method, headers, body, signal } = outgoing;
  const { headers: ofPlace, ...place } = placeOf(url, way.proxy);
  const isTunnelled = way.proxy !== null && url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const request = (place.protocol === 'https:' ? httpsRequest : httpRequest)({
      ...place,
      method,
      signal,
      headers: { ...ofPlace, ...headers },
      agent: isRead(method) || isTunnelled ? way.agent : false,
    });
    const timer = setTimeout(() => {
      request.destroy(new Error(`no connection within ${connectAtMostMs / 1_000} seconds`));
    }, connectAtMostMs);
    const connected = () => clearTimeout(timer);
    request.once('socket', (socket) => {
      if (!socket.connecting) return connected();
      socket.once(place.protocol === 'https:' ? 'secureConnect' : 'connect', connected);
    });
    request.once('response', (response) => {
      connected();
      resolve(response);
    });
    request.once('error', (error) => {
      connected();
      const isStale = request.reusedSocket && isRead(method) && isClosed(error);
      if (isStale && again && !signal.aborted) resolve(send(outgoing, way, false));
      else reject(error);
    });
    request.end(body);
  });
}
