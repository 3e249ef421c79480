import { runEmbedded } from '../../runtime/local/embedded.ts';
import { startEmbeddedCluster } from './embedded.ts';
import { removeEndpoints, writeEndpoints } from './endpoints.ts';
import type { LastResort } from './lastResort.ts';
import type { Running } from './running.ts';
import { printFacts } from './printFacts.ts';
import type { Settings } from './settings.ts';

/** `CORE_ROLE=cluster`: the embedded cluster alone, in this thread, for an operator that runs elsewhere. */
export async function runCluster(settings: Settings, lastResort: LastResort): Promise<Running> {
  const { endpoints, stop } = await startEmbeddedCluster(settings, lastResort, runEmbedded);
  writeEndpoints(settings.dataDir, {
    dashboard: null,
    health: null,
    metrics: null,
    kubernetes: endpoints.kubernetes,
    kubeconfig: endpoints.kubeconfig,
    operatorKubeconfig: endpoints.operatorKubeconfig,
    gitHost: endpoints.gitUrl,
    managedDb: endpoints.managedDb,
    cloud: endpoints.cloud,
    pid: process.pid,
  });
  printFacts({
    kubeconfig: endpoints.kubeconfig,
    'operator kubeconfig': endpoints.operatorKubeconfig,
    'git host': endpoints.gitUrl,
    cloud: endpoints.cloud,
  });
  return {
    stop: async () => {
      await stop();
      removeEndpoints(settings.dataDir);
    },
  };
}
