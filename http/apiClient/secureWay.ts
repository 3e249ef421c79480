import { request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as tlsConnect } from 'node:tls';
import { ProxyUnreached } from './failure.ts';
import { proxyHeaders } from './proxy.ts';
import { limitConnecting, type Way } from './send.ts';

type Opened = (error: Error | null, socket?: Duplex) => void;

/** Opens a tunnel to a host through a proxy. */
function tunnel(proxy: URL, host: string, opened: Opened): void {
  const request = proxy.protocol === 'https:' ? httpsRequest : httpRequest;
  const sent = request({
    host: proxy.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: proxy.port,
    method: 'CONNECT',
    path: host,
    agent: false,
    headers: { host, ...proxyHeaders(proxy) },
  });
  sent.once('connect', ({ statusCode }, socket: Duplex) => {
    if (statusCode === 200) return opened(null, socket);
    socket.destroy();
    return opened(new Error(`the proxy ${proxy.host} answered ${statusCode ?? 0}`));
  });
  sent.once('response', (response) => {
    response.destroy();
    opened(new Error(`the proxy ${proxy.host} answered ${response.statusCode ?? 0}`));
  });
  const { isConnected } = limitConnecting(sent, proxy.protocol === 'https:' ? 'secureConnect' : 'connect', false);
  sent.on('error', (error) =>
    opened(isConnected() ? new Error(`the proxy ${proxy.host}: ${error.message}`) : new ProxyUnreached(proxy, error)),
  );
  sent.end();
}

interface Target {
  readonly host?: string;
  readonly port?: number | string;
}

/** TLS to the installation itself, inside a tunnel through the proxy. */
const throughTunnel =
  (proxy: URL) =>
  ({ host = '', port = 443, ...options }: Target, opened: Opened): undefined => {
    const named = host.includes(':') ? `[${host}]` : host;
    tunnel(proxy, `${named}:${port}`, (error, socket) => {
      if (error || !socket) return opened(error ?? new Error('the proxy gave no connection'));
      const servername = isIP(host) === 0 ? { servername: host } : {};
      // Whoever it is given to listens later.
      return opened(
        null,
        tlsConnect({ ...options, ...servername, socket }).on('error', () => {}),
      );
    });
  };

/** The way to one installation where the first host on it is reached by TLS, or the last through a tunnel. */
export function secureWay(url: URL, proxy: URL | null): Way {
  const agent = new HttpsAgent({ keepAlive: true });
  if (proxy === null || url.protocol === 'http:') return { agent, proxy, request: httpsRequest };
  return { agent: Object.assign(agent, { createConnection: throughTunnel(proxy) }), proxy, request: httpsRequest };
}
