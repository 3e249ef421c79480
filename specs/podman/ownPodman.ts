import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Libpod, libpod } from '../../runtime/embedded/nodes/podman/libpod.ts';
import { until } from '../support/until.ts';

/** A podman with storage, mounts and a network of its own, so that the machine's stay as they are. */
export interface OwnPodman {
  readonly podman: Libpod;
  readonly folder: string;
  readonly socket: string;
  /** Starts a program in podman's network. */
  readonly beside: (program: string, args: readonly string[]) => ChildProcess;
  readonly import: (reference: string, root: string) => Promise<void>;
  readonly end: () => Promise<void>;
}

const programs = ['podman', 'runc', 'netavark', 'conmon', 'iptables', 'busybox', 'unshare'];
const places = ['/usr/bin', '/usr/sbin', '/bin', '/sbin', '/usr/lib/podman', '/usr/libexec/podman'];

/** What of podman is not on this machine; null where all is there. */
export function lacksPodman(): string | null {
  const lacking = programs.filter((program) => !places.some((place) => existsSync(join(place, program))));
  if (lacking.length > 0) return `this machine has no ${lacking.join(', ')}`;
  if (process.getuid?.() !== 0) return 'podman runs pods for root only';
  try {
    execFileSync('unshare', ['-n', '-m', 'true'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'namespaces cannot be made here';
  }
}

const containersConf = (folder: string) => `[network]
network_backend="netavark"
network_config_dir="${folder}/networks"
[engine]
runtime="runc"
cgroup_manager="cgroupfs"
events_logger="file"
tmp_dir="${folder}/tmp"
[containers]
default_ulimits=["nofile=1024:1024","nproc=1024:1024"]
`;
const storageConf = (folder: string) => `[storage]
driver="overlay"
graphroot="${folder}/storage"
runroot="${folder}/run"
`;

/** `network`: whether it has a network of its own, or that of this process. */
export async function ownPodman(network: 'own' | 'shared' = 'own'): Promise<OwnPodman> {
  const folder = mkdtempSync(join(tmpdir(), 'core-podman-'));
  const files = { CONTAINERS_CONF: 'containers.conf', CONTAINERS_STORAGE_CONF: 'storage.conf' };
  writeFileSync(join(folder, files.CONTAINERS_CONF), containersConf(folder));
  writeFileSync(join(folder, files.CONTAINERS_STORAGE_CONF), storageConf(folder));
  const env = {
    ...process.env,
    ...Object.fromEntries(Object.entries(files).map(([name, file]) => [name, join(folder, file)])),
  };
  const socket = join(folder, 's');
  const script = `ip link set lo up; exec podman system service --time=0 unix://${socket}`;
  const namespaces = network === 'own' ? ['-n', '-m'] : ['-m'];
  const service = spawn('unshare', [...namespaces, 'sh', '-c', script], { env, stdio: 'ignore' });
  const ended = new Promise<void>((done) => service.once('exit', () => done()));
  const podman = libpod(socket);
  await until(
    async () =>
      existsSync(socket) &&
      (await podman.call({ method: 'GET', path: '/_ping' }).then(
        () => true,
        () => false,
      )),
    'podman',
  );
  const others: ChildProcess[] = [];
  return {
    podman,
    folder,
    socket,
    beside(program, args) {
      const inside = ['-t', `${service.pid}`, '-n', program, ...args];
      const started = spawn('nsenter', inside, { stdio: 'ignore' });
      others.push(started);
      return started;
    },
    async import(reference, root) {
      const archive = execFileSync('tar', ['-C', root, '-c', '.'], { maxBuffer: 1 << 30 });
      await podman.call({ method: 'POST', path: '/images/import', query: { reference }, body: archive });
    },
    async end() {
      await removeAll(podman, 'pods');
      await removeAll(podman, 'containers');
      podman.close();
      others.forEach((other) => other.kill());
      service.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function removeAll(podman: Libpod, what: 'pods' | 'containers'): Promise<void> {
  const query = what === 'pods' ? {} : { all: 'true' };
  const found = (await podman.call({ method: 'GET', path: `/${what}/json`, query })) as readonly {
    readonly Id: string;
  }[];
  const forced = what === 'pods' ? { force: 'true' } : { force: 'true', timeout: '0' };
  for (const { Id } of found ?? []) await podman.call({ method: 'DELETE', path: `/${what}/${Id}`, query: forced });
}

const applets = ['sh', 'cat', 'echo', 'ls', 'sleep', 'test', 'httpd', 'nc', 'wget', 'mkdir'];

/** The smallest image with a shell, as `registry.local/base/busybox:1`. */
export async function importBusybox({ folder, import: taken }: OwnPodman): Promise<string> {
  const root = join(folder, 'busybox');
  mkdirSync(join(root, 'bin'), { recursive: true });
  cpSync('/bin/busybox', join(root, 'bin/busybox'));
  for (const applet of applets) symlinkSync('busybox', join(root, 'bin', applet));
  const name = 'registry.local/base/busybox:1';
  await taken(name, root);
  return name;
}
