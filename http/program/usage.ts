import { defaults, type Setting, settingNames } from './settings.ts';

const descriptions: Readonly<Record<Setting, string>> = {
  role: 'all, or cluster for the embedded cluster alone',
  host: 'address that everything listens on',
  port: 'dashboard and REST API',
  'health-port': '/healthz and /readyz',
  'metrics-port': '/metrics for Prometheus',
  'metrics-cert': 'certificate of the metrics port, PEM; one that is signed here otherwise',
  'metrics-key': 'its key',
  'kube-port': 'the embedded Kubernetes API',
  'git-port': 'the embedded Git host',
  'cloud-port': 'the embedded cloud: S3 and IAM',
  'ingress-port': 'visitors of services by their hosts, on loopback, with podman',
  'ingress-tls-port': 'the same over HTTPS, under the certificates that their Ingresses name (default: none)',
  'data-dir': 'everything Core keeps on this machine',
  'builder-image': 'image of the container that builds',
  'git-image': 'image of the container that clones',
  'object-store-image': 'image of object store servers: SeaweedFS',
  'postgres-image': 'repository of the images of Postgres; the version is the tag',
  'sqlite-image': 'image of the server of SQLite databases',
  'mysql-client-image': 'image with the clients of MySQL: mysql, mysqldump, gzip, od',
  'mysql-chart': 'chart of MySQL, with its version',
  'redis-chart': 'chart of Redis, with its version',
  'pg-operator-chart': 'chart of the operator for Postgres, with its version',
  'curl-image': 'image that asks the server of SQLite for a dump: curl, gzip',
  'sqlite-client-image': 'image that makes a database file of a dump: sqlite3, gzip',
  'rclone-image': 'image that carries dumps to a bucket and back: rclone, gzip',
  'dns-servers': "DNS servers that resolve the dashboard's name, separated by commas; the system's by default",
  'dns-api-url': "base of the DNS provider's API",
  'join-installer': 'command that installs the agent on a server that joins the cluster',
  'tunnel-image': "image of the tunnel's agent",
  'acme-directory': 'certificate authority, by the address of its ACME directory',
  'storage-chart': 'chart of replicated storage, with its version',
  'serverless-chart': 'chart of KEDA, which lets services sleep, with its version',
  'serverless-http-chart': 'chart of its HTTP add-on, with its version',
  'prometheus-url': 'Prometheus with the usage of pods, unless the platform config names one',
  nodes:
    'simulated, podman: pods run in containers on this machine, or manual: no pod appears and no Job moves by itself',
  exec: 'simulated, or local: kubectl exec runs commands on this machine, with all that Core itself may do',
  'lease-seconds': "how long the leader's lease is good for",
  'webhooks-allow-private-networks': 'true: webhooks may be called at private addresses',
  'admin-password': 'password of admin, when there are no users yet; generated otherwise',
  'http-client-image': 'the earlier name of --curl-image',
  'upload-image': 'the earlier name of --rclone-image',
  'podman-socket': "socket of podman's API; one that listens, or a service of our own, by default",
  kubeconfig: 'a kubeconfig, or in-cluster, instead of the embedded cluster',
  'git-api-url': 'API of the Git host',
  'git-url': 'base of the addresses that are cloned from',
  'managed-db-url': 'API of the provider of managed databases',
  'webhook-url': 'where the embedded Git host delivers pushes to',
  'advertise-url': 'where other replicas reach this one',
  'trusted-proxies': 'ranges of the peers whose X-Forwarded-For counts, or none (private ranges)',
};

const isSetting = (name: Setting): name is keyof typeof defaults => name in defaults;

/** The usage text, with every setting. */
export function usage(): string {
  const width = Math.max(...settingNames.map((name) => name.length)) + 4;
  const lines = settingNames.map((name) => {
    const otherwise = isSetting(name) ? ` (${defaults[name]})` : '';
    return `  ${`--${name}`.padEnd(width)}${descriptions[name]}${otherwise}`;
  });
  return [
    'usage: core start [--port N] [--data-dir PATH] [--kubeconfig PATH] …',
    '       core backup FILE [--data-dir PATH]    all of a data directory in one file, while it is in use',
    '       core restore FILE [--data-dir PATH]   into a data directory that is new or empty',
    '',
    ...lines,
    '',
    'Every flag is a variable too: --data-dir is CORE_DATA_DIR. A port of 0 is any free one.',
  ].join('\n');
}
