import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { at, listAt, textAt } from '../../runtime/embedded/api/json.ts';
import { type Libpod, libpod, unlessAbsent } from '../../runtime/embedded/nodes/podman/libpod.ts';
import { until } from '../support/until.ts';

/** A podman with storage, mounts and a network of its own, so that the machine's stay as they are. */
export interface OwnPodman {
  readonly podman: Libpod;
  readonly folder: string;
  readonly socket: string;
  /** Starts a program in podman's network. */
  readonly beside: (program: string, args: readonly string[]) => ChildProcess;
  /** Kills podman's service, under which containers live on, and starts it again. */
  readonly restart: () => Promise<void>;
  /** Takes everything away that a machine loses as it goes down: processes, mounts, the network, what is kept in memory. */
  readonly reboot: () => Promise<void>;
  /** `change` is a line of a recipe, such as its entrypoint. */
  readonly importRoot: (reference: string, root: string, change?: string) => Promise<void>;
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

/** The locks that podman keeps in memory are those of every podman of the machine, and each that starts anew frees them all. */
const containersConf = (folder: string) => `[network]
network_backend="netavark"
network_config_dir="${folder}/networks"
[engine]
runtime="runc"
cgroup_manager="cgroupfs"
events_logger="file"
tmp_dir="${folder}/tmp"
lock_type="file"
[containers]
default_ulimits=["nofile=1024:1024","nproc=1024:1024"]
`;
const storageConf = (folder: string) => `[storage]
driver="overlay"
graphroot="${folder}/storage"
runroot="${folder}/run"
`;

/** `shared`: in the network of the one who starts it, who made one for it. */
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
  // The addresses that podman gave out are kept in /run by every podman of the machine.
  const script = `ip link set lo up; exec podman system service --time=0 unix://${socket}`;
  const podman = libpod(socket);
  const own = 'mkdir -p /run/containers && mount -t tmpfs tmpfs /run/containers &&';
  const fresh = ['unshare', ...(network === 'own' ? ['-n'] : []), '-m'];
  const answers = () =>
    podman.call({ method: 'GET', path: '/_ping' }).then(
      () => true,
      () => false,
    );

  async function started([program = '', ...inside]: readonly string[]): Promise<ChildProcess> {
    const isFresh = program === 'unshare';
    const child = spawn(program, [...inside, 'sh', '-c', `${isFresh ? own : ''} ${script}`], {
      env,
      cwd: folder,
      stdio: 'ignore',
    });
    await until(async () => existsSync(socket) && (await answers()), 'podman');
    return child;
  }

  async function killed(signal: NodeJS.Signals) {
    const ended = new Promise<void>((done) => service.once('exit', () => done()));
    service.kill(signal);
    await ended;
    rmSync(socket, { force: true });
  }

  /** The processes of containers, each after the one that watches over it. */
  async function processes(): Promise<readonly number[]> {
    const found = await podman.call({ method: 'GET', path: '/containers/json', query: { all: 'true' } });
    const pids: number[] = [];
    for (const one of listAt({ found }, 'found')) {
      const inspected = await unlessAbsent(
        podman.call({ method: 'GET', path: `/containers/${textAt(one, 'Id')}/json` }),
      );
      pids.push(Number(at(inspected, 'State', 'ConmonPid') ?? 0), Number(at(inspected, 'State', 'Pid') ?? 0));
    }
    return pids.filter((pid) => pid > 0);
  }

  let service = await started(fresh);
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
    async restart() {
      const [watcher] = await processes();
      if (watcher === undefined) throw new Error('nothing runs whose network and mounts could be kept');
      await killed('SIGKILL');
      service = await started(['nsenter', '-t', String(watcher), '-n', '-m']);
    },
    async reboot() {
      const all = await processes();
      await killed('SIGKILL');
      all.forEach(killNow);
      for (const kept of ['run', 'tmp']) rmSync(join(folder, kept), { recursive: true, force: true });
      service = await started(fresh);
    },
    async importRoot(reference, root, change) {
      const archive = execFileSync('tar', ['-C', root, '-c', '.'], { maxBuffer: 1 << 30 });
      const query = { reference, ...(change !== undefined && { changes: change }) };
      await podman.call({ method: 'POST', path: '/images/import', query, body: archive });
    },
    async end() {
      for (const kind of ['pods', 'containers']) {
        const query = { all: 'true' };
        const found = await podman.call({ method: 'GET', path: `/${kind}/json`, query });
        for (const one of listAt({ found }, 'found'))
          // What a pod that is going still holds goes with its processes.
          await podman
            .call({ method: 'DELETE', path: `/${kind}/${textAt(one, 'Id')}`, query: { force: 'true', timeout: '0' } })
            .catch(() => null);
      }
      (await processes()).forEach(killNow);
      podman.close();
      others.forEach((other) => other.kill());
      await killed('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** It may have ended by itself, or with the one before it. */
function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (why) {
    if ((why as NodeJS.ErrnoException).code !== 'ESRCH') throw why;
  }
}

const applets = ['sh', 'cat', 'echo', 'ls', 'sleep', 'test', 'httpd', 'nc', 'wget', 'mkdir'];

/** The smallest image with a shell, as `registry.local/base/busybox:1`. */
export async function importBusybox({ folder, importRoot }: OwnPodman): Promise<string> {
  const root = join(folder, 'busybox');
  mkdirSync(join(root, 'bin'), { recursive: true });
  cpSync('/bin/busybox', join(root, 'bin/busybox'));
  for (const applet of applets) symlinkSync('busybox', join(root, 'bin', applet));
  const name = 'registry.local/base/busybox:1';
  await importRoot(name, root);
  return name;
}
