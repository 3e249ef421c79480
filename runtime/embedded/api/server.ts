import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Server, createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Store } from '../store.ts';
import { send, statusOf } from './answer.ts';
import { collectGarbage } from './garbage/collector.ts';
import { keptCertificates, keptToken, writeKubeconfig } from './identity.ts';
import { createRegistry } from './kinds/registry.ts';
import { ensureNamespaces } from './namespaces.ts';
import type { PodLogs } from './podLogs.ts';
import { type Backing, isHealthPath, route } from './router.ts';
import { unauthorized } from './status.ts';
import { openDisk } from './store/disk.ts';
import { createStore } from './store/store.ts';
import { annotatedLogs } from './verbs/log.ts';

interface ApiOptions {
  readonly dataDir: string;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly podLogs?: PodLogs;
}

/** A running API server. */
export interface Api {
  readonly url: string;
  readonly caPem: string;
  readonly token: string;
  readonly kubeconfigPath: string;
  readonly store: Store;
  /** Ends open watches, finishes the writes under way and closes the data. */
  readonly stop: () => Promise<void>;
}

const drainMs = 3_000;

/** Serves the Kubernetes API over HTTPS from the objects in a data directory. */
export async function startApi({ dataDir, host, port, podLogs = annotatedLogs }: ApiOptions): Promise<Api> {
  const store = createStore(openDisk(join(dataDir, 'objects')));
  const certificates = await keptCertificates(dataDir, isWildcard(host) ? [] : [host]);
  const token = keptToken(dataDir);
  await ensureNamespaces(store);
  const registry = createRegistry(store);
  const garbage = collectGarbage(store);
  const streams = new Set<ServerResponse>();
  const backing: Backing = { store, registry, podLogs };
  const isAllowed = bearer(token);

  const server = createServer(
    { cert: certificates.certificate, key: certificates.key, keepAliveTimeout: 90_000, noDelay: true },
    (request, response) => void answer(request, response),
  );

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const warnings: string[] = [];
    streams.add(response);
    response.once('close', () => streams.delete(response));
    try {
      if (!isAllowed(request)) throw unauthorized();
      send(response, await route(backing, request, response, (text) => warnings.push(text)), warnings);
    } catch (why) {
      if (response.headersSent) return void response.destroy();
      const { body } = statusOf(why);
      // What is left of a body that nobody read would be taken for the next request.
      if (!request.complete) response.setHeader('Connection', 'close');
      send(response, { code: body.code, text: JSON.stringify(body) }, warnings);
    }
  }

  const url = await listen(server, host, port);
  const kubeconfigPath = writeKubeconfig(dataDir, { url, ca: certificates.ca, token });

  async function stop() {
    const closed = new Promise<void>((done) => server.close(() => done()));
    for (const response of streams) response.end();
    server.closeIdleConnections();
    const impatient = setTimeout(() => server.closeAllConnections(), drainMs);
    await garbage.stop();
    await closed;
    clearTimeout(impatient);
    registry.stop();
    await store.close();
  }

  return { url, caPem: certificates.ca, token, kubeconfigPath, store, stop };
}

const isWildcard = (host: string) => host === '0.0.0.0' || host === '::';

function listen(server: Server, host: string, port: number): Promise<string> {
  return new Promise((done, failed) => {
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      const reached = isWildcard(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
      done(`https://${reached}:${(server.address() as AddressInfo).port}`);
    });
  });
}

/** Whether a request carries the token; probes of the health need none. */
function bearer(token: string): (request: IncomingMessage) => boolean {
  const expected = Buffer.from(`Bearer ${token}`);
  return ({ headers: { authorization }, url = '' }) => {
    const given = Buffer.from(authorization ?? '');
    return (
      (given.length === expected.length && timingSafeEqual(given, expected)) || isHealthPath(url.split('?')[0] ?? '')
    );
  };
}
