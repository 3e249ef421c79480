import { randomUUID } from 'node:crypto';
import { at, textAt } from '../../api/json.ts';
import { type Libpod, idOf, isAway, unlessAbsent } from './libpod.ts';
import { BadData } from '../../badData.ts';

/** What podman says of the machine that it runs on. */
export interface Machine {
  readonly version: string;
  readonly hostname: string;
  readonly cpus: number;
  readonly memory: number;
  readonly kernel: string;
  readonly os: string;
  /** The folder in which podman keeps images and containers. */
  readonly storage: string;
}

const oldest = [4, 3] as const;
const needed = oldest.join('.');

/** A start does not wait for a podman that hangs. */
const firstSilentMs = 20_000;

/** What stands in podman's words, and what helps. */
const remedies: readonly (readonly [says: RegExp, remedy: string])[] = [
  [
    /cgroups in hybrid mode not supported/,
    'install runc and set runtime = "runc" under [engine] in /etc/containers/containers.conf',
  ],
  [
    /RLIMIT_(NOFILE|NPROC).*(not permitted|Operation)/s,
    'set default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"] under [containers] in /etc/containers/containers.conf',
  ],
  [/iptables.*(No such file|not found)|netavark.*No such file or directory/s, 'install iptables'],
  [/netavark.*not found|could not find a working conmon|conmon.*not found/s, 'install netavark and conmon'],
  [
    /plugin type="?bridge"?|failed to find plugin/,
    'install netavark and set network_backend = "netavark" under [network]',
  ],
];

/** The words of podman with what helps, where that is known. */
export function withRemedy(words: string): string {
  const remedy = remedies.find(([says]) => says.test(words))?.[1];
  return remedy === undefined ? words : `${words} (${remedy})`;
}

/** What podman is and runs on; a podman that cannot serve us is refused with the remedy. */
export async function machineOf(podman: Libpod, silentMs = firstSilentMs): Promise<Machine> {
  const info = await podman.call({ method: 'GET', path: '/info', silentMs }).catch((why: unknown) => {
    throw isAway(why) ? new BadData(`${(why as Error).message}; restart podman's service`) : why;
  });
  const version = textAt(info, 'version', 'Version');
  const fault = faultOf(version, at(info, 'host', 'security', 'rootless') === true);
  if (fault !== null) throw new BadData(fault);
  const { version: osVersion, distribution } = (at(info, 'host', 'distribution') ?? {}) as Record<string, unknown>;
  return {
    version,
    hostname: textAt(info, 'host', 'hostname').toLowerCase(),
    cpus: Number(at(info, 'host', 'cpus') ?? 1),
    memory: Number(at(info, 'host', 'memTotal') ?? 0),
    kernel: textAt(info, 'host', 'kernel'),
    storage: textAt(info, 'store', 'graphRoot'),
    os: [distribution, osVersion].filter((word) => typeof word === 'string').join(' '),
  };
}

/** Why a podman cannot serve us; null where it can. */
export function faultOf(version: string, rootless: boolean): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < oldest[0] || (major === oldest[0] && minor < oldest[1]))
    return `podman ${version} is too old: install podman ${needed} or newer`;
  if (rootless)
    return 'podman does not run as root: the server cannot reach the pods of a user; start Core and podman as root';
  return null;
}

/**
 * Runs one container on a bridge of its own as any pod is run, so that what does not work is known before a pod asks for it.
 * The program is podman's own infra container, so no image is needed.
 */
export async function probe(podman: Libpod): Promise<void> {
  const name = `core-probe-${randomUUID().slice(0, 8)}`;
  try {
    await podman.call({ method: 'POST', path: '/networks/create', body: { name, driver: 'bridge' } });
    const made = await podman.call({
      method: 'POST',
      path: '/pods/create',
      body: { name, netns: { nsmode: 'bridge' }, Networks: { [name]: {} } },
    });
    await podman.call({ method: 'POST', path: `/pods/${idOf(made)}/start` });
  } catch (why) {
    throw new BadData(`podman cannot run a container: ${withRemedy(why instanceof Error ? why.message : String(why))}`);
  } finally {
    await removed(podman, name);
  }
}

async function removed(podman: Libpod, name: string): Promise<void> {
  const gone = (path: string) =>
    unlessAbsent(podman.call({ method: 'DELETE', path, query: { force: 'true' } })).catch(() => null);
  await gone(`/pods/${name}`);
  await gone(`/networks/${name}`);
}
