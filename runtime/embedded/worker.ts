import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { logLine } from '../services/log.ts';
import { startApi } from './api/server.ts';
import { gitApp } from './gitApp.ts';
import { startGitHost } from './gitHost/server.ts';
import { startNodes } from './nodes/nodes.ts';
import type { EmbeddedOptions, FromWorker, ToWorker } from './protocol.ts';
import { seed } from './seed.ts';

const tell = (message: FromWorker) => parentPort?.postMessage(message);

/** The embedded cluster: API server, simulated nodes, Git host. Spoken to over loopback only, but for start and stop. */
async function run(options: EmbeddedOptions): Promise<void> {
  const { dataDir, host, kubePort, gitPort, nodes: mode } = options;
  let webhookUrl = options.webhookUrl;
  const app = gitApp(dataDir);
  const api = await startApi({ dataDir: join(dataDir, 'cluster'), kubeconfigDir: dataDir, host, port: kubePort });
  await seed(api.store, app, api.putManifest);
  const nodes = startNodes(api.store, { mode });
  api.usePodLogs(nodes.podLogs);
  const gitHost = await startGitHost({
    dataDir: join(dataDir, 'git'),
    host,
    port: gitPort,
    app,
    webhookUrl: () => webhookUrl,
    log: (message, fields) => logLine('info', message, { part: 'git host', ...fields }),
  });

  parentPort?.on('message', (message: ToWorker) => {
    if (message.is === 'webhookUrl') webhookUrl = message.url;
    else void stop();
  });
  const stop = async () => {
    await gitHost.stop();
    await nodes.stop();
    await api.stop();
    tell({ is: 'stopped' });
  };
  const { apiUrl: gitApi, cloneUrl: gitUrl } = gitHost;
  tell({ is: 'started', endpoints: { kubernetes: api.url, kubeconfig: api.kubeconfigPath, gitApi, gitUrl } });
}

run(workerData as EmbeddedOptions).catch((error: unknown) =>
  tell({ is: 'failed', why: error instanceof Error ? error.message : String(error) }),
);
