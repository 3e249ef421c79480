import { type IncomingMessage, ServerResponse } from 'node:http';
import { type Server, createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { checkObjectsAreThere } from '../dataDir/lost.ts';
import { createOpenResponses, mostUnsent } from '../openResponses.ts';
import { isolateRequests } from '../requests.ts';
import type { Store } from '../store.ts';
import { type ClusterOptions, marksOf } from '../surroundings.ts';
import { startAccess } from './access.ts';
import { createAdmission } from './admission/admission.ts';
import type { Webhook } from './admission/webhooks.ts';
import { ensurePriorityClasses } from './admission/priority.ts';
import { admittedStore } from './admission/store.ts';
import type { AccountTokens } from './authentication/accountTokens.ts';
import { collectGarbage } from './garbage/collector.ts';
import { keptCertificates, keptSigningKey, keptToken } from './identity.ts';
import { keepNames } from './kinds/declared/keepNames.ts';
import { createRegistry } from './kinds/registry.ts';
import { createInFlight } from './inFlight.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { ensureApiService, ensureNamespaces } from './namespaces.ts';
import { type PodProcesses, noProcesses } from './podProcesses.ts';
import { createPace } from './pace.ts';
import type { PodLogs } from './podLogs.ts';
import type { PodUsage } from './podUsage.ts';
import { responder } from './respond.ts';
import type { Backing } from './router.ts';
import { apiHosts } from './services/ranges.ts';
import { createSessions } from './streaming/sessions.ts';
import { openDisk } from './store/disk.ts';
import { createStore } from './store/store.ts';
import { annotatedLogs } from './verbs/log.ts';
import { usageTypes } from './verbs/usage.ts';
import { createYamlReader } from './yaml/reader.ts';

export interface ApiOptions extends ClusterOptions {
  readonly dataDir: string;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly podLogs?: PodLogs;
  readonly podProcesses?: PodProcesses;
  /** Without it, the API serves no metrics of pods and nodes. */
  readonly podUsage?: PodUsage;
  /** Those of controllers that are acted out. */
  readonly webhooks?: readonly Webhook[];
}

/** A running API server. */
export interface Api {
  readonly url: string;
  readonly caPem: string;
  /** The admin's. */
  readonly token: string;
  /** Gives out the tokens of service accounts. */
  readonly accountTokens: AccountTokens;
  readonly kubeconfigPath: string;
  /** Writes a kubeconfig with a token into a file of the data directory; its path. */
  readonly letIn: (token: string, file: string) => string;
  /** Makes anew what is missing of the namespaces that are always there. */
  readonly ensureNamespaces: () => Promise<void>;
  readonly store: Store;
  /** Ends open watches, finishes the writes under way and closes the data. */
  readonly stop: () => Promise<void>;
}

const drainMs = 3_000;
/** Watches and logs of one caller; the operator has one of each kind, and one of each log that somebody reads. */
export const mostStreams = 4_096;

/** Serves the Kubernetes API over HTTPS from the objects in a data directory. */
export async function startApi(options: ApiOptions): Promise<Api> {
  const { dataDir, host, port, names, log, connections, podProcesses = noProcesses } = options;
  const { podLogs = annotatedLogs(marksOf(names).log), podUsage = null, webhooks = [] } = options;
  checkObjectsAreThere(dataDir);
  const store = createStore(openDisk(join(dataDir, 'objects')), log);
  const [certificates, signingKey] = await Promise.all([
    keptCertificates(dataDir, [...apiHosts, ...(isWildcard(host) ? [] : [host])]),
    keptSigningKey(dataDir),
  ]);
  const token = keptToken(dataDir);
  await Promise.all([ensureNamespaces(store, names.systemNamespace), ensurePriorityClasses(store)]);
  const registry = createRegistry(store, podUsage ? usageTypes : []);
  const acceptedNames = keepNames(store);
  const admission = createAdmission(store, registry, webhooks);
  const garbage = collectGarbage(store);
  const streams = new Set<ServerResponse>();
  const sessions = createSessions(log);
  const yaml = createYamlReader();
  const access = await startAccess(store, { adminToken: token, caPem: certificates.ca, signingKey });
  const { authenticator, tokens } = access;
  let stopping = false;
  let url = '';
  const backing: Backing = {
    store,
    registry,
    admission,
    podLogs,
    podUsage,
    streaming: { processes: podProcesses, sessions },
    authenticator,
    tokens,
    keySet: access.keySet,
    yaml,
    pace: createPace(),
    held: createOpenResponses({ mostStreams, mostUnsent }),
    inFlight: createInFlight(),
    url: () => url,
    isStopping: () => stopping,
  };

  const respond = responder(backing, access, log);
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    streams.add(response);
    response.once('close', () => streams.delete(response));
    respond(request, response);
  };

  const server = createServer(
    {
      cert: certificates.certificate,
      key: certificates.key,
      // Who shows a certificate must show one of ours; who shows none has a token or is anonymous.
      ca: certificates.ca,
      requestCert: true,
      rejectUnauthorized: false,
      ...connections.limits,
      keepAliveTimeout: 90_000,
      noDelay: true,
    },
    answer,
  );

  // The same door as for any other request; what is not upgraded is answered and closed.
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (head.length > 0) socket.unshift(head);
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => socket.end());
    answer(request, response);
  });

  isolateRequests(server, {
    onError: ({ message }) => log('warn', 'server failed', { part: 'Kubernetes API', error: message }),
  });
  const stopServer = connections.stopOf(server, drainMs);
  url = await listen(server, host, port);
  await ensureApiService(store, url);
  const letIn = (bearer: string, file: string) =>
    writeKubeconfig(dataDir, { names, url, ca: certificates.ca, token: bearer }, file);
  const kubeconfigPath = letIn(token, 'kubeconfig');

  async function stop() {
    stopping = true;
    for (const response of streams) response.end();
    sessions.stop();
    const closed = stopServer();
    await access.stop();
    await yaml.stop();
    await Promise.all([garbage.stop(), acceptedNames.stop()]);
    await closed;
    registry.stop();
    admission.stop();
    await store.close();
  }

  return {
    url,
    caPem: certificates.ca,
    token,
    accountTokens: tokens,
    kubeconfigPath,
    letIn,
    ensureNamespaces: () => ensureNamespaces(store, names.systemNamespace),
    store: admittedStore(store, registry, admission),
    stop,
  };
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
