import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../support/product.ts';
import { tools } from '../tools.ts';
import { type Options, type Running, run, start } from './process.ts';
import { openSandbox } from './sandbox.ts';

/** A Kubernetes cluster that scenarios ask by kubectl. */
export interface Cluster {
  readonly kubectl: (args: string, options?: Options) => Promise<string>;
  /** A command of kubectl that goes on, as a watch does. */
  readonly follow: (args: string) => Running;
  /** What only a cluster of this machine can do; null of one that was there before. */
  readonly machine: Machine | null;
  readonly end: () => Promise<void>;
}

export interface Machine {
  /** A folder for what a scenario needs, gone at the end. */
  readonly dir: string;
  /** Where the API server writes down what Core's accounts change. */
  readonly auditLog: string;
  readonly up: (...words: readonly string[]) => Promise<string>;
  readonly push: (...words: readonly string[]) => Promise<string>;
  /** Postgres of this machine, with what archives it. */
  readonly pushPostgres: (name: string) => Promise<string>;
  /** A command in the network of the cluster. */
  readonly within: (command: readonly string[], options?: Options) => Promise<string>;
  readonly follow: (command: readonly string[]) => Running;
}

const words = (args: string) => args.split(' ').filter((word) => word !== '');

/** The cluster of a kubeconfig. */
export const clusterOf = (kubeconfig: string): Cluster => {
  const kubectl = (args: string) => ['kubectl', '--kubeconfig', kubeconfig, ...words(args)];
  return {
    kubectl: (args, options) => run(kubectl(args), options),
    follow: (args) => start(kubectl(args)),
    machine: null,
    end: async () => {},
  };
};

/** Only what Core's accounts change. */
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - level: Metadata
    userGroups: ['system:serviceaccounts:core-system']
    verbs: [create, update, patch, delete, deletecollection]
  - level: None
`;

/** A real Kubernetes of one node on this machine, in namespaces of its own. */
export async function startCluster(): Promise<Cluster> {
  const dir = mkdtempSync(join(tmpdir(), 'core-real-'));
  const [home, bin] = [join(dir, 'c'), process.env['CORE_CLUSTER_BINARIES'] ?? join(dir, 'bin')];
  // Control groups carry the name of the network, which nobody else may have.
  const network = `corereal${process.pid}`;
  const auditLog = join(dir, 'audit.log');
  const policy = join(dir, 'audit.yaml');
  mkdirSync(home);
  writeFileSync(policy, auditPolicy);
  const sandbox = await openSandbox();
  const end = async () => {
    await sandbox.end();
    removeGroups(network);
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  };
  const env = {
    CLUSTER_NETNS: network,
    APIFLAGS: `--audit-policy-file ${policy} --audit-log-path ${auditLog}`,
  };
  const inside = (command: readonly string[], options: Options = {}) =>
    run(sandbox.enter(root, command), { ...options, env: { ...env, ...options.env } });
  const script = (name: string, ...more: readonly string[]) =>
    inside([join(tools, 'realcluster', name), home, bin, ...more], { withinMs: 240_000 });
  const networked = (command: readonly string[]) => ['nsenter', `--net=/run/netns/${network}`, '--', ...command];
  const kubectl = (args: string) =>
    networked([join(bin, 'kubectl'), '--kubeconfig', join(home, 'admin.kubeconfig'), ...words(args)]);
  const machine: Machine = {
    dir,
    auditLog,
    up: (...more) => script('up.sh', ...more),
    push: (...more) => script('push.sh', ...more),
    pushPostgres: async (name) => {
      await script('push.sh', 'postgres', name);
      const barman = join(root, 'specs/cluster/ground/barman.sh');
      return inside([barman, join(tools, 'realcluster'), home, bin, name]);
    },
    within: (command, options) => inside(networked(command), options),
    follow: (command) => start(sandbox.enter(root, networked(command)), { env }),
  };
  try {
    if (!process.env['CORE_CLUSTER_BINARIES']) await run([join(tools, 'realcluster/binaries.sh'), bin]);
    await machine.up('all');
  } catch (failed) {
    await end();
    throw failed;
  }
  return {
    kubectl: (args, options) => inside(kubectl(args), options),
    follow: (args) => start(sandbox.enter(root, kubectl(args))),
    machine,
    end,
  };
}

const groups = '/sys/fs/cgroup';

/** Removes the control groups of a cluster that has ended. */
function removeGroups(network: string): void {
  for (const kind of readdirSync(groups))
    for (const name of directoriesIn(join(groups, kind)))
      if (name === network || name.startsWith(`${network}-`))
        execFileSync('find', [join(groups, kind, name), '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';'], {
          stdio: 'ignore',
        });
}

function directoriesIn(path: string): readonly string[] {
  try {
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    return [];
  }
}
