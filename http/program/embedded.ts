import { Effect } from 'effect';
import { type Embedded, startEmbedded } from '../../runtime/embedded/cluster.ts';
import { seed } from '../../runtime/embedded/seed.ts';
import { kubeCluster } from '../../runtime/services/kube/cluster.ts';
import { kubeConfigOf } from '../../runtime/services/kube/config.ts';
import { logLine } from '../../runtime/services/log.ts';
import type { Settings } from './settings.ts';

/** The embedded cluster as the settings want it, seeded. Nothing can go on without it: its death ends the program. */
export async function startEmbeddedCluster(settings: Settings): Promise<Embedded> {
  const { dataDir, host, kubePort, gitPort, nodes, exec, webhookUrl = null } = settings;
  const embedded = await startEmbedded({ dataDir, host, kubePort, gitPort, nodes, exec, webhookUrl }, (why) => {
    logLine('error', 'the embedded cluster died', { why });
    process.exit(1);
  });
  await Effect.runPromise(seed(kubeCluster(kubeConfigOf(embedded.endpoints.kubeconfig)), embedded.app));
  return embedded;
}
