import { randomUUID } from 'node:crypto';
import { at, textAt } from '../../api/json.ts';
import { type Libpod, idOf, isAway, unlessAbsent } from './libpod.ts';
import { withRemedy } from './remedies.ts';
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

/** What podman is and runs on; a podman that cannot serve us is refused with the remedy. */
export async function machineOf(podman: Libpod, silentMs = firstSilentMs): Promise<Machine> {
  const info = await podman.call({ method: 'GET', path: '/info', silentMs }).catch((why: unknown) => {
    throw isAway(why) ? new BadData(`${(why as Error).message}; restart podman's service`) : why;
  });
  const version = textAt(info, 'version', 'Version');
  const fault = faultOf(version, {
    rootless: at(info, 'host', 'security', 'rootless') === true,
    backend: textAt(info, 'host', 'networkBackend'),
  });
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

interface Podman {
  readonly rootless: boolean;
  /** What makes its networks; podman before 4 does not tell. */
  readonly backend: string;
}

/** Why a podman cannot serve us; null where it can. */
export function faultOf(version: string, { rootless, backend }: Podman): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < oldest[0] || (major === oldest[0] && minor < oldest[1]))
    return `podman ${version} is too old: install podman ${needed} or newer`;
  if (rootless)
    return 'podman does not run as root: the server cannot reach the pods of a user; start Core and podman as root';
  if (backend === 'cni')
    return 'podman makes its networks with CNI: install netavark and set network_backend = "netavark" under [network] in /etc/containers/containers.conf';
  return null;
}

/** Why who starts Core cannot run pods; null where he can. */
export const faultOfUser = (uid: number | undefined): string | null =>
  uid === 0 ? null : 'Core does not run as root: it cannot reach the pods of a user; start Core and podman as root';

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
