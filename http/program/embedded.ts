import { Effect, Fiber, Schedule } from 'effect';
import type { startEmbedded } from '../../runtime/local/cluster.ts';
import type { Embedded } from '../../runtime/local/protocol.ts';
import type { DatabaseImages } from '../../rules/database/images.ts';
import { redisImage, type ServerImages } from '../../runtime/local/addons/realServers.ts';
import { runAddons } from '../../runtime/local/addons/addons.ts';
import { runBackups } from '../../runtime/local/addons/backups.ts';
import { seed } from '../../runtime/local/seed.ts';
import { awsCloud } from '../../runtime/services/awsCloud.ts';
import { Cluster } from '../../runtime/services/cluster/cluster.ts';
import { machineNames } from '../../runtime/services/cluster/names.ts';
import { kubeCluster } from '../../runtime/services/kube/cluster.ts';
import { kubeConfigOf } from '../../runtime/services/kube/config.ts';
import { logLine } from '../../runtime/services/log.ts';
import type { LastResort } from './lastResort.ts';
import type { Settings } from './settings.ts';

/** Far longer than the cluster takes to accept writes into a new namespace. */
const seedAgain = { schedule: Schedule.exponential('100 millis'), times: 10 } as const;

/** Starts it in this thread, or in one of its own. */
type StartEmbedded = typeof startEmbedded;

/** The embedded cluster by the settings, seeded. Its death ends the program, which cannot work without it. */
export async function startEmbeddedCluster(
  settings: Settings,
  lastResort: LastResort,
  start: StartEmbedded,
): Promise<Embedded> {
  const { dataDir, host, kubePort, gitPort, cloudPort, nodes, exec, podmanSocket, webhookUrl = null } = settings;
  const { ingressPort, ingressTlsPort } = settings;
  const embedded: Embedded = await start(
    { dataDir, host, kubePort, gitPort, cloudPort, ingressPort, ingressTlsPort, nodes, exec, podmanSocket, webhookUrl },
    {
      died: (why) => {
        logLine('error', 'the embedded cluster died', { why });
        process.exit(1);
      },
      uncaught: lastResort.count,
      renewed: () => {
        Effect.runPromise(Effect.retry(seedIn(embedded), seedAgain)).then(
          () => logLine('info', 'the embedded cluster was seeded again'),
          (error: unknown) =>
            logLine('error', 'the embedded cluster could not be seeded again', { why: String(error) }),
        );
      },
    },
  );
  try {
    await Effect.runPromise(seedIn(embedded));
  } catch (why) {
    await embedded.stop();
    throw why;
  }
  return nodes === 'manual' ? embedded : withAddons(embedded, settings);
}

const serverImages = ({ mysqlClientImage }: DatabaseImages): ServerImages => ({
  mysql: mysqlClientImage,
  redis: redisImage,
});

/** The cluster with those who install charts and run Postgres servers in it. */
function withAddons(embedded: Embedded, { nodes, databaseImages }: Settings): Embedded {
  const cluster = kubeCluster(kubeConfigOf(embedded.endpoints.kubeconfig));
  const running = Effect.runFork(
    Effect.all(nodes === 'podman' ? [runAddons(serverImages(databaseImages))] : [runAddons(null), runBackups], {
      concurrency: 'unbounded',
      discard: true,
    }).pipe(Effect.scoped, Effect.provideService(Cluster, cluster), Effect.provide(awsCloud(machineNames))),
  );
  return {
    ...embedded,
    stop: async () => {
      await Effect.runPromise(Fiber.interrupt(running));
      await embedded.stop();
    },
  };
}

const seedIn = ({ endpoints, app, cloudKey }: Embedded) =>
  seed(kubeCluster(kubeConfigOf(endpoints.kubeconfig)), { app, cloudKey });
