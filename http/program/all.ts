import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Context, Effect } from 'effect';
import { platformConfigName } from '../../crds/corePlatformConfig.ts';
import { tables } from '../../machines/tables.ts';
import { everything } from '../../runtime/controllers/all.ts';
import { platformConfigs } from '../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { secretText } from '../../runtime/services/secretText.ts';
import type { CacheReader } from '../../runtime/cache/reader.ts';
import { startEmbedded } from '../../runtime/local/cluster.ts';
import type { Embedded } from '../../runtime/local/protocol.ts';
import type { Exec, ExecShape } from '../../runtime/services/exec.ts';
import type { Functions } from '../../runtime/services/functions.ts';
import type { MetricsStore } from '../../runtime/services/metricsStore.ts';
import { Cluster, type ClusterShape } from '../../runtime/services/cluster/cluster.ts';
import { type ClusterNames, machineNames, namesOf, simulatedNames } from '../../runtime/services/cluster/names.ts';
import { kubeCluster } from '../../runtime/services/kube/cluster.ts';
import { inCluster, kubeConfigOf } from '../../runtime/services/kube/config.ts';
import { kubeExec } from '../../runtime/services/kube/exec.ts';
import { jsonLogs, logLine } from '../../runtime/services/log.ts';
import { promMetrics, type PromMetrics } from '../../runtime/services/promMetrics.ts';
import { olderKindsLogged } from '../../runtime/kindsRelease.ts';
import { type Services, type Started, startOperator } from '../../runtime/start.ts';
import { addressCheckWith } from '../../rules/webhookDelivery/addressCheck.ts';
import { makeSender } from '../../runtime/services/webhooks/sender.ts';
import { makeHolders } from '../../runtime/controllers/consoleSession/read.ts';
import { startTerminals } from '../../runtime/terminals/start.ts';
import type { Terminals } from '../../runtime/terminals/terminals.ts';
import { type Accounts, makeAccounts } from '../auth/accounts.ts';
import { firstAdminController } from '../auth/firstAdmin.ts';
import { seedAdmin } from '../auth/seed.ts';
import { hasProjectTokens } from '../auth/tokens/projects.ts';
import { startHealth } from './health.ts';
import { startMetrics } from '../scrape/metrics.ts';
import { protectionOf } from '../scrape/protection.ts';
import { startHttp } from '../server.ts';
import { version } from '../version.ts';
import { makeDraining } from './draining.ts';
import { startEmbeddedCluster } from './embedded.ts';
import { removeEndpoints, writeEndpoints } from './endpoints.ts';
import { leaseIdentity, senderName, terminalLease } from './identity.ts';
import type { HeldDataDir } from './heldDataDir.ts';
import type { LastResort } from './lastResort.ts';
import type { Running } from './running.ts';
import { printFacts } from './printFacts.ts';
import { realServices } from './services.ts';
import { BadSetting, publicGitHost, type Settings } from './settings.ts';
import { errorMessage } from '../../rules/errorMessage.ts';

/** Passes at a time: they wait for the API far more than they use the CPU. */
const workers = 16;

/** How Core finds the Services of its cluster. */
function namesIn({ embedded, cluster }: Ground, { nodes }: Settings): ClusterNames {
  if (!embedded) return machineNames;
  return nodes === 'podman' ? namesOf(cluster) : simulatedNames;
}

/** The cluster in use, and its Git host. */
interface Ground {
  readonly embedded: Embedded | null;
  readonly cluster: ClusterShape;
  readonly exec: ExecShape;
  readonly kubernetes: string | null;
  /** The path of its kubeconfig; null inside a cluster. */
  readonly kubeconfig: string | null;
  readonly gitUrl: string;
  readonly isGitEmbedded: boolean;
  readonly gitApiUrl: string;
  readonly managedDbUrl: string | null;
}

/** The services beside the cluster, where no setting names others. */
const besideOf = (embedded: Embedded | null) =>
  embedded
    ? { url: embedded.endpoints.gitUrl, api: embedded.endpoints.gitApi, managedDb: embedded.endpoints.managedDb }
    : { url: publicGitHost.url, api: publicGitHost.api, managedDb: null };

async function groundOf(settings: Settings, lastResort: LastResort): Promise<Ground> {
  const embedded =
    settings.kubeconfig === undefined ? await startEmbeddedCluster(settings, lastResort, startEmbedded) : null;
  const beside = besideOf(embedded);
  const from = settings.kubeconfig ?? embedded?.endpoints.operatorKubeconfig ?? '';
  const config = configOf(from);
  return {
    embedded,
    cluster: kubeCluster(config, () => kubeConfigOf(from)),
    exec: kubeExec(config, () => kubeConfigOf(from)),
    kubernetes: config.getCurrentCluster()?.server ?? null,
    kubeconfig: from === inCluster ? null : resolve(embedded?.endpoints.kubeconfig ?? from),
    gitUrl: settings.gitUrl ?? beside.url,
    isGitEmbedded: embedded !== null && settings.gitUrl === undefined,
    gitApiUrl: settings.gitApiUrl ?? beside.api,
    managedDbUrl: settings.managedDbUrl ?? beside.managedDb,
  };
}

function configOf(from: string) {
  try {
    return kubeConfigOf(from);
  } catch (error) {
    throw new BadSetting(`the kubeconfig cannot be used: ${errorMessage(error)}`);
  }
}

/** Makes the first admin, in parallel with the operator's start, because hashing a password takes a third of a second. */
function firstAdminOf(password: Settings['adminPassword'], cluster: ClusterShape) {
  const seed = seedAdmin({ password });
  const seeding = Effect.runPromise(
    seed.pipe(
      Effect.catchTag('BadPassword', ({ message }) => Effect.fail(new BadSetting(`CORE_ADMIN_PASSWORD: ${message}`))),
      Effect.provideService(Cluster, cluster),
    ),
  );
  const firstAdmin = firstAdminController({
    // Runs after the seeding of the start, and so finds the user that it made.
    seed: Effect.andThen(Effect.ignore(Effect.tryPromise(() => seeding)), seed),
    seeded: ({ generated: password }) => printFacts({ 'admin password': password }),
    log: logLine,
  });
  return { seeding, firstAdmin };
}

const controllersOf = (
  settings: Settings,
  { embedded, gitUrl, isGitEmbedded }: Ground,
  holders: ReturnType<typeof makeHolders>,
) =>
  everything({
    builder: { builderImage: settings.builderImage, gitImage: settings.gitImage, gitUrl, isGitEmbedded },
    visitorsPort: embedded && settings.nodes === 'podman' ? settings.ingressPort : null,
    hasTokens: hasProjectTokens,
    holders,
    sender: makeSender(senderName()),
    sources: {
      databases: settings.databaseImages,
      objectStore: settings.objectStoreImage,
      cluster: settings.clusterSources,
      joinInstaller: settings.joinInstaller,
      tunnelImage: settings.tunnelImage,
    },
  });

/** Everything: the embedded cluster unless a kubeconfig is given, the operator, the REST API, the dashboard. */
export async function runAll(settings: Settings, held: HeldDataDir, lastResort: LastResort): Promise<Running> {
  const { dataDir, adminPassword } = settings;
  const ground = await groundOf(settings, lastResort);
  const { embedded, cluster, exec, kubernetes, kubeconfig, gitUrl, gitApiUrl, managedDbUrl } = ground;
  const metrics = promMetrics();
  metrics.uncaughtErrors(lastResort.counted);
  const check = addressCheckWith(settings.webhooksAllowPrivateNetworks);
  const journalDir = join(dataDir, 'journal');
  const { dnsServers, dnsApiUrl } = settings;
  const services = await realServices({
    cluster,
    exec,
    metrics,
    names: namesIn(ground, settings),
    gitApiUrl,
    managedDbUrl,
    journalDir,
    judge: check,
    dnsServers,
    dnsApiUrl,
  });
  const { seeding, firstAdmin } = firstAdminOf(adminPassword, cluster);
  const accounts = makeAccounts({ log: logLine });
  const holders = makeHolders({ lease: terminalLease(), leaseSeconds: settings.leaseSeconds });
  const { controllers, alsoSeen } = controllersOf(settings, ground, holders);
  const operator = await startOperator(
    services,
    { controllers: [...controllers, ...accounts.controllers, firstAdmin], alsoSeen, workers },
    {
      logger: jsonLogs,
      lease: {
        identity: leaseIdentity(embedded ? 'embedded' : 'other'),
        seconds: settings.leaseSeconds,
        ...(settings.advertiseUrl === undefined ? {} : { address: settings.advertiseUrl }),
      },
    },
  );
  void Effect.runPromiseWith(services)(Effect.provide(olderKindsLogged(version), jsonLogs));
  const { drain, stops } = makeDraining(settings, operator.resign);
  let isServing = false;
  const health = await startHealth({
    operator: operator.operator,
    host: settings.host,
    port: settings.healthPort,
    fault: held.fault,
    serves: () => isServing,
    stops,
  });
  const [{ generated }] = await Promise.all([seeding, Effect.runPromise(operator.operator.ready)]);
  const terminals = await startTerminals(services, { operator: operator.operator, holders, log: logLine });
  // Nodes that run containers report their usage where no Prometheus is configured.
  const usageUrl = settings.isPrometheusNamed ? null : (embedded?.endpoints.usage ?? null);
  const shown = { operator, services, cluster, metrics, gitUrl, usageUrl, accounts };
  const parts = { ...shown, terminals: terminals.terminals, held, stops };
  const { stop: stopServers, ...served } = await startServers(settings, parts);
  isServing = true;
  const urls = { ...served, health: health.url };
  embedded?.deliverTo(settings.webhookUrl ?? `${urls.dashboard}/webhooks/git`);

  const operatorKubeconfig = embedded?.endpoints.operatorKubeconfig ?? null;
  const cloud = embedded?.endpoints.cloud ?? null;
  const beside = { gitHost: gitUrl, cloud, managedDb: managedDbUrl };
  writeEndpoints(dataDir, { ...urls, kubernetes, kubeconfig, operatorKubeconfig, ...beside, pid: process.pid });
  printFacts({
    dashboard: urls.dashboard,
    'admin password': generated,
    kubeconfig,
    'git host': embedded ? gitUrl : null,
    cloud,
  });
  return {
    drain,
    stop: async () => {
      // Upgraded sockets are not counted among the connections of the server.
      await terminals.stop();
      await Promise.all([stopServers(), health.stop()]);
      await operator.stop();
      await accounts.hasher.stop();
      await embedded?.stop();
      removeEndpoints(dataDir);
    },
  };
}

interface Parts {
  readonly operator: Started;
  readonly services: Context.Context<Services | Exec | Functions | MetricsStore>;
  readonly cluster: ClusterShape;
  readonly metrics: PromMetrics;
  readonly gitUrl: string;
  readonly usageUrl: string | null;
  readonly accounts: Accounts;
  readonly terminals: Terminals;
  readonly held: HeldDataDir;
  /** Whether it was asked to end. */
  readonly stops: () => boolean;
}

async function startServers(settings: Settings, { operator: { operator, leads }, ...parts }: Parts) {
  const { services, cluster, metrics, gitUrl, usageUrl, accounts, terminals, held, stops } = parts;
  const { host, port, metricsPort } = settings;
  metrics.leader(leads);
  const counted = await startMetrics({
    operator,
    metrics,
    host,
    port: metricsPort,
    protection: protectionOf(settings, cluster, held),
  });
  const dashboard = await startHttp({
    operator,
    services,
    settings: {
      host,
      port,
      publicGitHost: gitUrl.startsWith('https://') ? new URL(gitUrl).host : gitUrl,
      gitUrl,
      prometheusUrl: usageUrl ?? settings.prometheusUrl,
      webhookSecret: () => webhookSecret(operator.caches),
      webhookJudge: addressCheckWith(settings.webhooksAllowPrivateNetworks),
      trustedProxies: settings.trustedProxies,
      machines: tables,
      dashboardDir: dashboardDir(),
    },
    log: logLine,
    accounts,
    terminals,
    stops,
    onAnswered: metrics.answered,
  });
  return {
    dashboard: dashboard.url,
    metrics: counted.url,
    stop: async () => {
      await Promise.all([dashboard.stop(), counted.stop()]);
    },
  };
}

/** The webhook secret of the Git host application; null while the platform names none. */
function webhookSecret(reader: CacheReader): string | null {
  const name = reader.get(platformConfigs, platformConfigName)?.spec.gitAppRef?.name;
  return name === undefined ? null : secretText(reader.get(secrets, name), 'webhook_secret') || null;
}

/** Beside the bundle; when run from source, in the output of the last build. */
function dashboardDir(): string {
  const bundled = fileURLToPath(new URL('dashboard/', import.meta.url));
  return existsSync(bundled) ? bundled : fileURLToPath(new URL('../../dist/dashboard/', import.meta.url));
}
