import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { logLine } from '../services/log.ts';
import { ensureNamespaces } from '../embedded/api/namespaces.ts';
import { apiAudiences } from '../embedded/api/authentication/authenticator.ts';
import { writeKubeconfig } from '../embedded/api/identity.ts';
import { type Api, startApi } from '../embedded/api/server.ts';
import { BadData } from '../embedded/badData.ts';
import { onPlatformRemoved } from './platformRemoved.ts';
import { startControllers } from '../embedded/controllers/controllers.ts';
import { keptGitApp, newGitApp } from '../gitHost/app.ts';
import { startGitHost } from '../gitHost/server.ts';
import { type Nodes, startNodes } from '../embedded/nodes/nodes.ts';
import { ensureOperatorAccount } from './operatorAccount.ts';
import type { EmbeddedOptions, FromWorker, ToWorker } from './protocol.ts';

const tell = (message: FromWorker) => parentPort?.postMessage(message);

/** The embedded cluster: API server, simulated nodes, Git host. Spoken to over loopback only, but for start and stop. */
async function run(options: EmbeddedOptions): Promise<void> {
  const { dataDir, host, kubePort, gitPort, nodes: mode, exec } = options;
  let { webhookUrl } = options;
  // The nodes live on the API's store, and the API asks the nodes for logs: it never does before they are there.
  const nodes: { started?: Nodes } = {};
  const running = () => {
    if (!nodes.started) throw new Error('the nodes are not started yet');
    return nodes.started;
  };
  const kept = keptGitApp(dataDir);
  const starting = startApi({
    dataDir,
    host,
    port: kubePort,
    podLogs: {
      read: (...asked) => running().podLogs.read(...asked),
      follow: (...asked) => running().podLogs.follow(...asked),
    },
    podProcesses: {
      exec: (...asked) => running().podProcesses.exec(...asked),
      attach: (...asked) => running().podProcesses.attach(...asked),
    },
  });
  const [api, app] = await Promise.all([starting, kept ?? newGitApp(dataDir)]);
  const operatorKubeconfig = await letOperatorIn(api, dataDir);
  const forget = onPlatformRemoved(api.store, async () => {
    await ensureNamespaces(api.store);
    await letOperatorIn(api, dataDir);
    tell({ is: 'renewed' });
  });
  nodes.started = startNodes(api.store, { mode, exec });
  const controllers = startControllers(api.store, { mode });
  const gitHost = await startGitHost({
    dataDir: join(dataDir, 'git'),
    host,
    port: gitPort,
    app,
    webhookUrl: () => webhookUrl,
    log: (message, fields) => logLine('info', message, { part: 'git host', ...fields }),
  });

  const stop = async () => {
    forget();
    await gitHost.stop();
    await controllers.stop();
    await nodes.started?.stop();
    await api.stop();
    process.exit(0);
  };
  parentPort?.on('message', (message: ToWorker) => {
    if (message.is === 'webhookUrl') webhookUrl = message.url;
    else void stop();
  });
  const { apiUrl: gitApi, cloneUrl: gitUrl } = gitHost;
  const { url: kubernetes, kubeconfigPath: kubeconfig } = api;
  tell({ is: 'started', endpoints: { kubernetes, kubeconfig, operatorKubeconfig, gitApi, gitUrl }, app });
}

/** As long as the certificates. */
const operatorTokenSeconds = 3_650 * 86_400;

/** The kubeconfig of the operator: here, too, it may do what its roles allow and no more. */
async function letOperatorIn({ store, accountTokens, url, caPem: ca }: Api, dataDir: string): Promise<string> {
  const account = await ensureOperatorAccount(store);
  const { token } = accountTokens.issue(account, { audiences: apiAudiences, seconds: operatorTokenSeconds });
  return writeKubeconfig(dataDir, { url, ca, token }, 'operator.kubeconfig');
}

run(workerData as EmbeddedOptions).catch((error: unknown) =>
  tell(
    error instanceof BadData
      ? { is: 'badData', why: error.message }
      : { is: 'failed', why: error instanceof Error ? (error.stack ?? error.message) : String(error) },
  ),
);
