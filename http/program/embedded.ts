import { type Embedded, startEmbedded } from '../../runtime/embedded/cluster.ts';
import { logLine } from '../../runtime/services/log.ts';
import type { Settings } from './settings.ts';

/** The embedded cluster as the settings want it. Nothing can go on without it: its death ends the program. */
export const startEmbeddedCluster = (settings: Settings): Promise<Embedded> =>
  startEmbedded(
    {
      dataDir: settings.dataDir,
      host: settings.host,
      kubePort: settings.kubePort,
      gitPort: settings.gitPort,
      nodes: settings.nodes,
      webhookUrl: settings.webhookUrl ?? null,
    },
    (why) => {
      logLine('error', 'the embedded cluster died', { why });
      process.exit(1);
    },
  );
