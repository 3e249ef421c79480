import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { logLine } from '../services/log.ts';
import { startApi } from './api/server.ts';
import { startGitHost } from './gitHost/server.ts';
import { type Nodes, startNodes } from './nodes/nodes.ts';
import type { EmbeddedOptions, FromWorker, ToWorker } from './protocol.ts';

const tell = (message: FromWorker) => parentPort?.postMessage(message);

/** The embedded cluster: API server, simulated nodes, Git host. Spoken to over loopback only, but for start and stop. */
async function run(options: EmbeddedOptions): Promise<void> {
  const { dataDir, host, kubePort, gitPort, nodes: mode, app } = options;
  let { webhookUrl } = options;
  // The nodes live on the API's store, and the API asks the nodes for logs: it never does before they are there.
  const nodes: { started?: Nodes } = {};
  const logs = () => {
    if (!nodes.started) throw new Error('the nodes are not started yet');
    return nodes.started.podLogs;
  };
  const api = await startApi({
    dataDir,
    host,
    port: kubePort,
    podLogs: {
      read: (...asked) => logs().read(...asked),
      follow: (...asked) => logs().follow(...asked),
    },
  });
  nodes.started = startNodes(api.store, { mode });
  const gitHost = await startGitHost({
    dataDir: join(dataDir, 'git'),
    host,
    port: gitPort,
    app,
    webhookUrl: () => webhookUrl,
    log: (message, fields) => logLine('info', message, { part: 'git host', ...fields }),
  });

  const stop = async () => {
    await gitHost.stop();
    await nodes.started?.stop();
    await api.stop();
    tell({ is: 'stopped' });
  };
  parentPort?.on('message', (message: ToWorker) => {
    if (message.is === 'webhookUrl') webhookUrl = message.url;
    else void stop();
  });
  const { apiUrl: gitApi, cloneUrl: gitUrl } = gitHost;
  tell({ is: 'started', endpoints: { kubernetes: api.url, kubeconfig: api.kubeconfigPath, gitApi, gitUrl } });
}

run(workerData as EmbeddedOptions).catch((error: unknown) =>
  tell({ is: 'failed', why: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
);
