import { join } from 'node:path';
import { type Api, apiAudiences, startCluster } from '../embedded/index.ts';
import { keptGitApp, newGitApp } from '../gitHost/app.ts';
import { wakeProxy } from '../../rules/service/wake.ts';
import { startGitHost } from '../gitHost/server.ts';
import { logLine } from '../services/log.ts';
import { uncaughtTo } from '../services/uncaught.ts';
import { lacksDump } from './addons/dumps.ts';
import { clusterWebhook } from './addons/postgres/webhook.ts';
import { ensureOperatorAccount } from './operatorAccount.ts';
import { startManagedDb } from './managedDb/server.ts';
import { keptCloudKey } from './cloud/account.ts';
import { startCloud } from './cloud/server.ts';
import { onPlatformRemoved } from './platformRemoved.ts';
import type { Embedded, EmbeddedListeners, EmbeddedOptions } from './protocol.ts';
import { podmanParts } from './podmanParts.ts';
import { clusterOptions } from './clusterOptions.ts';
import { startScaler } from './waking/scaler.ts';

/**
 * The embedded cluster: API server, simulated nodes, Git host. Reached over loopback only, except for start and stop.
 */
export async function runEmbedded(options: EmbeddedOptions, listeners: EmbeddedListeners): Promise<Embedded> {
  const { dataDir, host, kubePort, gitPort, cloudPort, nodes: mode, exec, podmanSocket } = options;
  const { ingressPort, ingressTlsPort } = options;
  let { webhookUrl } = options;
  const kept = keptGitApp(dataDir);
  const cloudKey = keptCloudKey(join(dataDir, 'cloud'));
  const [cluster, app] = await Promise.all([
    startCluster({
      ...clusterOptions,
      uncaught: uncaughtTo(listeners.uncaught),
      dataDir,
      host,
      port: kubePort,
      mode,
      exec,
      isAwaited: lacksDump,
      webhooks: mode === 'manual' ? [] : [clusterWebhook],
      podmanSocket,
      podmanParts,
      ingressPort,
      ingressTlsPort,
      wakeProxy,
    }),
    kept ?? newGitApp(dataDir),
  ]);
  // Starts after the API, which locks the data directory, because it rewrites its files.
  const cloud = await startCloud({
    dataDir: join(dataDir, 'cloud'),
    host,
    port: cloudPort,
    accounts: [cloudKey],
    log: (message, fields) => logLine('info', message, { part: 'cloud', ...fields }),
  });
  const operatorKubeconfig = await letOperatorIn(cluster);
  const forget = onPlatformRemoved(cluster.store, async () => {
    await cluster.ensureNamespaces();
    await letOperatorIn(cluster);
    listeners.renewed();
  });
  const gitHost = await startGitHost({
    dataDir: join(dataDir, 'git'),
    host,
    port: gitPort,
    app,
    webhookUrl: () => webhookUrl,
    log: (message, fields) => logLine('info', message, { part: 'git host', ...fields }),
  });
  const scaler = mode === 'podman' ? startScaler(cluster) : null;
  const managedDb =
    mode === 'manual' ? null : await startManagedDb({ file: join(dataDir, 'managed-db.json'), host, now: Date.now });

  const stop = async () => {
    forget();
    scaler?.stop();
    await managedDb?.stop();
    await gitHost.stop();
    await cloud.stop();
    await cluster.stop();
  };
  const { apiUrl: gitApi, cloneUrl: gitUrl } = gitHost;
  const { url: kubernetes, kubeconfigPath: kubeconfig } = cluster;
  const beside = {
    gitApi,
    gitUrl,
    cloud: cluster.addressInside('cloud', cloud.url),
    usage: cluster.usageUrl,
    managedDb: managedDb?.url ?? null,
  };
  return {
    endpoints: { kubernetes, kubeconfig, operatorKubeconfig, ...beside },
    app,
    cloudKey,
    deliverTo: (url) => (webhookUrl = url),
    stop,
  };
}

/** As long as the certificates are valid. */
const operatorTokenSeconds = 3_650 * 86_400;

/** The kubeconfig of the operator, limited to its roles, as on any cluster. */
async function letOperatorIn({ store, accountTokens, letIn }: Api): Promise<string> {
  const account = await ensureOperatorAccount(store);
  const { token } = accountTokens.issue(account, { audiences: apiAudiences, seconds: operatorTokenSeconds });
  return letIn(token, 'operator.kubeconfig');
}
