import { chmodSync, closeSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { at, listAt, textAt } from '../../api/json.ts';
import { filledIn, withDeclared } from '../shell/environment.ts';
import type { Container, Pod } from '../shapes.ts';
import { type ContainerSpec, containerSpec } from './containerSpec.ts';
import { hostsFile } from './hosts.ts';
import { type Image } from './images.ts';
import { label } from './labels.ts';
import { type Libpod, idOf, unlessAbsent } from './libpod.ts';
import type { Mount } from './mounts.ts';
import { labelsOf, podmanName } from './sandbox.ts';
import { serviceVariables } from './serviceVariables.ts';
import { type Sandbox, labelsIn } from './seen.ts';
import type { Start } from './steps.ts';
import type { PodmanWorld } from './world.ts';
import { makeFolder } from '../../makeFolder.ts';

const longestMessage = 4_096;

/** The pod as its containers see it: with the address that it has by now. */
const withAddress = (pod: Pod, address: string, hostIp: string): Pod => ({
  ...pod,
  status: { ...pod.status, podIP: address, hostIP: hostIp },
});

export interface Made {
  readonly environment: ReadonlyMap<string, string>;
  readonly logFile: string;
  readonly messageFile: string;
}

/** What a run of a container is given, whoever runs it. */
export function prepared({ store, folders }: PodmanWorld, pod: Pod, { container, run }: Start): Made {
  const { uid } = pod.metadata;
  const messageFile = folders.messageOf(uid, container.name, run);
  const logFile = folders.logOf(uid, container.name, run);
  for (const file of [messageFile, logFile]) makeFolder(dirname(file), 0o700);
  writeFileSync(messageFile, '');
  // Whoever the container runs as may leave its last words.
  chmodSync(messageFile, 0o666);
  const older = run - 2;
  if (older >= 0)
    for (const file of [folders.logOf(uid, container.name, older), folders.messageOf(uid, container.name, older)])
      rmSync(file, { force: true });
  return {
    environment: withDeclared(serviceVariables(store, pod), store, pod, container),
    logFile,
    messageFile,
  };
}

interface Given {
  readonly sandbox: Sandbox;
  readonly image: Image;
  readonly hostIp: string;
  readonly mounts: readonly Mount[];
}

/** Makes the container of a run; returns its id. */
export async function makeContainer(world: PodmanWorld, pod: Pod, start: Start, given: Given): Promise<string> {
  const { podman, cache, folders } = world;
  const { container, run, strikes } = start;
  const { uid } = pod.metadata;
  for (const old of cache.of(uid)?.containers ?? [])
    if (old.name === container.name && old.run < run - 1) {
      await unlessAbsent(
        podman.call({ method: 'DELETE', path: `/containers/${old.id}`, query: { force: 'true', volumes: 'true' } }),
      );
      cache.forgetContainer(uid, old.id);
    }
  const made = prepared(world, withAddress(pod, given.sandbox.address, given.hostIp), start);
  const hosts = folders.hostsOf(uid);
  writeFileSync(hosts, hostsFile(pod, given.sandbox.address));
  chmodSync(hosts, 0o644);
  const spec = containerSpec(pod, container, {
    ...made,
    name: `${podmanName(pod)}_${container.name}_${run}`,
    sandbox: given.sandbox.id,
    image: given.image,
    labels: {
      ...labelsOf(pod, folders.id),
      [label.container]: container.name,
      [label.run]: String(run),
      [label.strikes]: String(strikes),
    },
    mounts: given.mounts,
    hostsFile: hosts,
  });
  try {
    return idOf(await podman.call({ method: 'POST', path: '/containers/create', body: spec }));
  } catch (why) {
    const made = await madeBefore(podman, spec);
    if (made === null) throw why;
    return made;
  }
}

/** The id of the container of this run where it was made and nobody heard of it: its name is taken by itself. */
async function madeBefore(podman: Libpod, { name, labels }: ContainerSpec): Promise<string | null> {
  const found = await unlessAbsent(podman.call({ method: 'GET', path: `/containers/${name}/json` }));
  const own = labelsIn(found);
  const isSame = [label.cluster, label.uid, label.container, label.run].every((one) => own[one] === labels[one]);
  return found !== null && isSame ? textAt(found, 'Id') : null;
}

/** What a run left behind for whoever looks at its end. */
export function messageIn(file: string): string {
  let opened: number;
  try {
    opened = openSync(file, 'r');
  } catch {
    return '';
  }
  try {
    const bytes = Buffer.alloc(longestMessage);
    const length = readSync(opened, bytes, 0, longestMessage, 0);
    return new TextDecoder().decode(bytes.subarray(0, length), { stream: true });
  } finally {
    closeSync(opened);
  }
}

/** The words of a container for a program that the node runs itself. */
export const wordsOf = (container: Container, environment: ReadonlyMap<string, string>): readonly string[] =>
  [...(container.command ?? []), ...(container.args ?? [])].map((word) => filledIn(word, environment));

/** Where a path of a container is on this machine, by the volume that is mounted deepest over it. */
export function pathOf(world: PodmanWorld, pod: Pod, container: Container, path: string): string | null {
  const mounts = listAt(container, 'volumeMounts').map((mount) => ({
    target: posix.resolve('/', textAt(mount, 'mountPath')),
    name: textAt(mount, 'name'),
    subPath: textAt(mount, 'subPath'),
  }));
  const full = posix.resolve('/', path);
  const [deepest] = mounts
    .filter(({ target }) => full === target || full.startsWith(`${target}/`))
    .sort((a, b) => b.target.length - a.target.length);
  const source = deepest && world.volumes.sourceOf(pod, deepest.name);
  if (!deepest || source?.is !== 'folder') return null;
  return posix.join(source.path, deepest.subPath, posix.relative(deepest.target, full));
}

/** Whether a kubelet may run a container as the user that its image names. */
export const rootRefusal = (pod: Pod, container: Container, { user }: Image): string | null => {
  const either = (field: string) => at(container, 'securityContext', field) ?? at(pod.spec, 'securityContext', field);
  if (either('runAsNonRoot') !== true) return null;
  const asked = either('runAsUser');
  if (asked === 0)
    return `container's runAsUser breaks non-root policy (pod: "${pod.metadata.name}", container: ${container.name})`;
  if (asked !== undefined) return null;
  const [name = ''] = user.split(':');
  if (name === '' || name === '0' || name === 'root')
    return `container has runAsNonRoot and image will run as root (pod: "${pod.metadata.name}", container: ${container.name})`;
  return /^\d+$/.test(name)
    ? null
    : `container has runAsNonRoot and image has non-numeric user (${name}), cannot verify user is non-root (pod: "${pod.metadata.name}", container: ${container.name})`;
};
