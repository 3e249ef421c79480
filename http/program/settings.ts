import { objectStoreImage } from '../../rules/objectStore/objects.ts';
import { type ClusterSources, clusterSources } from '../../rules/cluster/addons.ts';
import { type DatabaseImages, databaseImages } from '../../rules/database/images.ts';
import { parseArgs } from 'node:util';
import { nearest } from '../../rules/nearest.ts';
import { usualInstaller } from '../../rules/node/join.ts';
import { usualTunnelImage } from '../../rules/dnsProviderReady/tunnel.ts';
import { cloudflareUrl } from '../../runtime/services/dns/cloudflareUrl.ts';
import { nodeImages } from '../../runtime/local/nodeImages.ts';
import { isRange } from '../auth/address.ts';
import { dataDirOf, usualDataDir } from './dataDirOf.ts';
import { inCluster } from '../../runtime/services/kube/config.ts';
import { errorMessage } from '../../rules/errorMessage.ts';

/** Everything the environment or a flag can set. Ports may be 0 for any free one. */
export interface Settings {
  readonly role: 'all' | 'cluster';
  readonly host: string;
  readonly port: number;
  readonly healthPort: number;
  readonly metricsPort: number;
  /** Certificate files that are renewed elsewhere; undefined for a self-signed certificate. */
  readonly metricsFiles: { readonly cert: string; readonly key: string } | undefined;
  readonly kubePort: number;
  readonly gitPort: number;
  readonly cloudPort: number;
  /** With podman: where visitors of services are let in. */
  readonly ingressPort: number;
  /** With podman: where they are let in under the certificates of the Ingresses. */
  readonly ingressTlsPort: number | undefined;
  readonly dataDir: string;
  readonly adminPassword: string | undefined;
  /** Path of a kubeconfig, `in-cluster`, or undefined for the embedded cluster. */
  readonly kubeconfig: string | undefined;
  readonly gitApiUrl: string | undefined;
  readonly gitUrl: string | undefined;
  /** The API of the provider of managed databases; undefined for the one that is simulated beside the embedded cluster. */
  readonly managedDbUrl: string | undefined;
  readonly webhookUrl: string | undefined;
  /** The address at which other replicas reach the REST API of this one. */
  readonly advertiseUrl: string | undefined;
  readonly builderImage: string;
  readonly gitImage: string;
  readonly databaseImages: DatabaseImages;
  readonly objectStoreImage: string;
  /** The certificate authority, and the charts that the settings of a cluster install. */
  readonly clusterSources: ClusterSources;
  /** The servers that the dashboard's name is resolved with; the system's where there are none. */
  readonly dnsServers: readonly string[];
  readonly dnsApiUrl: string;
  /** The command that makes a server join the cluster, and the image of the tunnel's agent. */
  readonly joinInstaller: string;
  readonly tunnelImage: string;
  /** The store of usage, unless the platform config names another. */
  readonly prometheusUrl: string;
  /** Whether that store was named, and is no default. */
  readonly isPrometheusNamed: boolean;
  readonly nodes: 'simulated' | 'podman' | 'manual';
  /** The socket of podman's API; undefined for one that is found or started. */
  readonly podmanSocket: string | undefined;
  readonly exec: 'simulated' | 'local';
  /** The duration of the leader election lease. */
  readonly leaseSeconds: number;
  /** Address ranges of trusted proxies, whose forwarded addresses count; undefined for private ranges. */
  readonly trustedProxies: readonly string[] | undefined;
  /** Whether webhooks may be called at private addresses (decision 140). */
  readonly webhooksAllowPrivateNetworks: boolean;
}

const publicGitHost = { api: 'https://api.github.com', url: 'https://github.com' } as const;
export { publicGitHost };

/** The default of every setting that has one. */
export const defaults = {
  role: 'all',
  host: '127.0.0.1',
  port: '8085',
  'health-port': '8086',
  'metrics-port': '8443',
  'kube-port': '7443',
  'git-port': '7080',
  'cloud-port': '7090',
  'ingress-port': '8080',
  'data-dir': usualDataDir,
  'builder-image': 'ghcr.io/osscontainertools/kaniko:v1.27.6',
  'git-image': 'docker.io/alpine/git:v2.49.1',
  'object-store-image': objectStoreImage,
  'postgres-image': databaseImages.postgresImage,
  'sqlite-image': databaseImages.sqliteImage,
  'mysql-client-image': databaseImages.mysqlClientImage,
  'mysql-chart': databaseImages.mysqlChart,
  'redis-chart': databaseImages.redisChart,
  'pg-operator-chart': databaseImages.pgOperatorChart,
  'curl-image': databaseImages.httpClientImage,
  'sqlite-client-image': databaseImages.sqliteClientImage,
  'rclone-image': databaseImages.uploadImage,
  'dns-api-url': cloudflareUrl,
  'join-installer': usualInstaller,
  'tunnel-image': usualTunnelImage,
  'acme-directory': clusterSources.acmeDirectory,
  'storage-chart': clusterSources.storageChart,
  'serverless-chart': clusterSources.serverlessChart,
  'serverless-http-chart': clusterSources.serverlessHttpChart,
  'prometheus-url': 'http://prometheus-operated.monitoring.svc:9090',
  nodes: 'simulated',
  exec: 'simulated',
  'lease-seconds': '15',
  'webhooks-allow-private-networks': 'false',
} as const;

/** Every setting, by the name of its flag. */
export const settingNames = [
  ...(Object.keys(defaults) as (keyof typeof defaults)[]),
  'admin-password',
  'http-client-image',
  'upload-image',
  'podman-socket',
  'ingress-tls-port',
  'metrics-cert',
  'metrics-key',
  'kubeconfig',
  'git-api-url',
  'git-url',
  'managed-db-url',
  'webhook-url',
  'advertise-url',
  'trusted-proxies',
  'dns-servers',
] as const;
export type Setting = (typeof settingNames)[number];

const variableOf = (name: Setting): string => `CORE_${name.toUpperCase().replaceAll('-', '_')}`;

/** How settings are given: `CORE_KUBE_PORT or --kube-port`. */
export const waysToSet = (names: readonly Setting[]): string =>
  names.map((name) => `${variableOf(name)} or --${name}`).join(', ');

/** The ports that a start listens at, by their settings. */
export const portsIn = (settings: Settings): readonly (readonly [Setting, number | undefined])[] => [
  ['port', settings.port],
  ['health-port', settings.healthPort],
  ['metrics-port', settings.metricsPort],
  ['kube-port', settings.kubePort],
  ['git-port', settings.gitPort],
  ['cloud-port', settings.cloudPort],
  ['ingress-port', settings.ingressPort],
  ['ingress-tls-port', settings.ingressTlsPort],
];

/** An invalid setting: its message is shown to the user unchanged. */
export class BadSetting extends Error {}

/** Reads settings: a flag wins over its `CORE_…` variable, which wins over the default; an empty value counts as not given. */
function settingReader(args: readonly string[], env: Readonly<Record<string, string | undefined>>) {
  const flags = flagsOf(args);
  const given = (name: Setting): string | undefined => flags[name] || env[variableOf(name)] || undefined;
  const text = (name: keyof typeof defaults): string => given(name) ?? defaults[name];
  const portOf = (name: Setting, written: string) => {
    const value = Number(written);
    if (!Number.isInteger(value) || value < 0 || value > 65_535)
      throw new BadSetting(`--${name}: "${written}" is not a port`);
    return value;
  };
  const port = (name: keyof typeof defaults) => portOf(name, text(name));
  const portIfGiven = (name: Setting) => {
    const written = given(name);
    return written === undefined ? undefined : portOf(name, written);
  };
  const wholeSeconds = (name: keyof typeof defaults) => {
    const value = Number(text(name));
    if (!Number.isInteger(value) || value < 1 || value > 3_600)
      throw new BadSetting(`--${name}: "${text(name)}" is not a number of seconds from 1 to 3600`);
    return value;
  };
  const choice = <T extends string>(name: keyof typeof defaults, choices: readonly T[]): T => {
    const found = choices.find((one) => one === text(name));
    if (!found) throw new BadSetting(`--${name}: "${text(name)}" is none of ${choices.join(', ')}`);
    return found;
  };
  return { given, text, port, portIfGiven, wholeSeconds, choice };
}

/** The settings of the process, from its arguments and its environment. */
export function settingsOf(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Settings {
  const { given, text, port, portIfGiven, wholeSeconds, choice } = settingReader(args, env);
  const nodes = choice('nodes', ['simulated', 'podman', 'manual']);
  const buildImage = (name: 'git' | 'builder') =>
    given(`${name}-image`) ?? (nodes === 'podman' ? nodeImages[name] : defaults[`${name}-image`]);
  const ofThisPod = env['KUBERNETES_SERVICE_HOST'] ? inCluster : undefined;
  return {
    role: choice('role', ['all', 'cluster']),
    host: text('host'),
    port: port('port'),
    healthPort: port('health-port'),
    metricsPort: port('metrics-port'),
    metricsFiles: bothOrNone(given('metrics-cert'), given('metrics-key')),
    kubePort: port('kube-port'),
    gitPort: port('git-port'),
    cloudPort: port('cloud-port'),
    ingressPort: port('ingress-port'),
    ingressTlsPort: portIfGiven('ingress-tls-port'),
    dataDir: dataDirOf(args, env),
    adminPassword: given('admin-password'),
    kubeconfig: given('kubeconfig') ?? ofThisPod,
    gitApiUrl: given('git-api-url'),
    gitUrl: given('git-url'),
    managedDbUrl: given('managed-db-url'),
    webhookUrl: given('webhook-url'),
    advertiseUrl: given('advertise-url') ?? ownAddress(text('host'), port('port')),
    builderImage: buildImage('builder'),
    gitImage: buildImage('git'),
    objectStoreImage: text('object-store-image'),
    databaseImages: {
      postgresImage: text('postgres-image'),
      sqliteImage: text('sqlite-image'),
      mysqlClientImage: text('mysql-client-image'),
      mysqlChart: text('mysql-chart'),
      redisChart: text('redis-chart'),
      pgOperatorChart: text('pg-operator-chart'),
      httpClientImage: given('curl-image') ?? given('http-client-image') ?? defaults['curl-image'],
      sqliteClientImage: text('sqlite-client-image'),
      uploadImage: given('rclone-image') ?? given('upload-image') ?? defaults['rclone-image'],
    },
    dnsServers: (given('dns-servers') ?? '')
      .split(',')
      .map((server) => server.trim())
      .filter((server) => server !== ''),
    dnsApiUrl: text('dns-api-url'),
    joinInstaller: text('join-installer'),
    tunnelImage: text('tunnel-image'),
    clusterSources: {
      acmeDirectory: text('acme-directory'),
      storageChart: text('storage-chart'),
      serverlessChart: text('serverless-chart'),
      serverlessHttpChart: text('serverless-http-chart'),
    },
    prometheusUrl: text('prometheus-url'),
    isPrometheusNamed: given('prometheus-url') !== undefined,
    nodes,
    podmanSocket: given('podman-socket'),
    exec: choice('exec', ['simulated', 'local']),
    leaseSeconds: wholeSeconds('lease-seconds'),
    trustedProxies: rangesIn(given('trusted-proxies')),
    webhooksAllowPrivateNetworks: choice('webhooks-allow-private-networks', ['true', 'false']) === 'true',
  };
}

function bothOrNone(cert: string | undefined, key: string | undefined): Settings['metricsFiles'] {
  if (cert !== undefined && key !== undefined) return { cert, key };
  if (cert === undefined && key === undefined) return undefined;
  throw new BadSetting('--metrics-cert and --metrics-key: give both or neither');
}

/** Ranges separated by commas, or `none`. */
function rangesIn(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  if (text.trim() === 'none') return [];
  const ranges = text.split(',').map((range) => range.trim());
  const wrong = ranges.find((range) => !isRange(range));
  if (wrong !== undefined)
    throw new BadSetting(`--trusted-proxies: "${wrong}" is no address and no range such as 10.0.0.0/8`);
  return ranges;
}

/** Undefined for port 0 or a wildcard host, whose address is not known before the server listens. */
const ownAddress = (host: string, port: number): string | undefined =>
  port === 0 || host === '0.0.0.0' || host === '::'
    ? undefined
    : `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

function flagsOf(args: readonly string[]): Partial<Record<Setting, string>> {
  const options = Object.fromEntries(settingNames.map((name) => [name, { type: 'string' as const }]));
  try {
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    throw new BadSetting(complaintAbout(errorMessage(error)));
  }
}

function complaintAbout(message: string): string {
  const [, flag] = /^Unknown option '(--?[^']*)'/.exec(message) ?? [];
  if (flag === undefined) return message;
  const near = nearest(flag.replace(/^-+/, ''), settingNames);
  return `unknown option '${flag}': ${near === null ? "see 'core start --help'" : `did you mean --${near}?`}`;
}
