import { posix } from 'node:path';
import { at, listAt, textAt, wordOf } from '../../api/json.ts';
import { milli } from '../quantity.ts';
import { filledIn } from '../shell/environment.ts';
import type { Container, Pod } from '../shapes.ts';
import type { Image } from './images.ts';
import type { Mount } from './mounts.ts';

/** What a container is made of, beside its spec. */
export interface Making {
  readonly name: string;
  readonly sandbox: string;
  readonly image: Pick<Image, 'id' | 'user'>;
  readonly labels: Readonly<Record<string, string>>;
  readonly environment: ReadonlyMap<string, string>;
  readonly mounts: readonly Mount[];
  readonly logFile: string;
  readonly messageFile: string;
  readonly hostsFile: string;
}

const mebibyte = 2 ** 20;
/** A log that is longer begins anew. */
export const longestLog = 10 * mebibyte;
const cpuPeriod = 100_000;
/** A container that starts processes without end takes no others of the machine with it. */
export const mostProcesses = 4_096;
const usualMessagePath = '/dev/termination-log';

/** A container as podman's `SpecGenerator` describes it. */
export interface ContainerSpec {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

export function containerSpec(pod: Pod, container: Container, making: Making): ContainerSpec {
  const { environment } = making;
  const filled = (field: 'command' | 'args') => (container[field] ?? []).map((word) => filledIn(word, environment));
  const [entrypoint, command] = [filled('command'), filled('args')];
  const workingDir = textAt(container, 'workingDir');
  return {
    name: making.name,
    pod: making.sandbox,
    image: making.image.id,
    labels: making.labels,
    env: Object.fromEntries(environment),
    ...(entrypoint.length > 0 && { entrypoint }),
    ...(command.length > 0 && { command }),
    ...(workingDir !== '' && { work_dir: workingDir, create_working_dir: true }),
    stdin: container.stdin === true,
    terminal: at(container, 'tty') === true,
    // What is run again, and when, is the kubelet's to decide.
    restart_policy: 'no',
    healthconfig: { Test: ['NONE'] },
    log_configuration: { driver: 'k8s-file', path: making.logFile, size: longestLog },
    ...mountsOf(container, making),
    ...limitsOf(container),
    ...securityOf(pod, container, making.image),
  };
}

function mountsOf(container: Container, { mounts, messageFile, hostsFile }: Making) {
  const messagePath = textAt(container, 'terminationMessagePath') || usualMessagePath;
  const own = [bind(messageFile, messagePath, false)];
  // One that the container mounts itself takes its place.
  if (!mounts.some(({ target }) => posix.normalize(target) === hostsPath)) own.push(bind(hostsFile, hostsPath, false));
  const volumes = mounts.filter(({ is }) => is === 'volume');
  return {
    mounts: [
      ...own,
      ...mounts
        .filter(({ is }) => is === 'place')
        .map(({ source, target, isReadOnly }) => bind(source, target, isReadOnly)),
    ],
    volumes: volumes.map(({ source, target, isReadOnly }) => ({
      Name: source,
      Dest: target,
      Options: [isReadOnly ? 'ro' : 'rw'],
    })),
  };
}

const hostsPath = '/etc/hosts';
const bind = (source: string, destination: string, isReadOnly: boolean) => ({
  type: 'bind',
  source,
  destination,
  options: ['rbind', isReadOnly ? 'ro' : 'rw'],
});

function limitsOf(container: Container) {
  const amount = (sort: 'limits' | 'requests', resource: string) =>
    milli((at(container, 'resources', sort, resource) ?? undefined) as string | undefined);
  const cpu = amount('limits', 'cpu');
  const memory = amount('limits', 'memory') / 1_000;
  const shares = Math.max(2, Math.round((amount('requests', 'cpu') * 1_024) / 1_000));
  return {
    resource_limits: {
      pids: { limit: mostProcesses },
      cpu: { shares, ...(cpu > 0 && { quota: Math.max(1_000, (cpu * cpuPeriod) / 1_000), period: cpuPeriod }) },
      // Without swap, which no Pod may have.
      ...(memory > 0 && { memory: { limit: Math.ceil(memory), swap: Math.ceil(memory) } }),
    },
  };
}

function securityOf({ spec }: Pod, container: Container, image: Pick<Image, 'user'>) {
  const own = (field: string) => at(container, 'securityContext', field);
  const either = (field: string) => own(field) ?? at(spec, 'securityContext', field);
  const group = either('runAsGroup');
  const user = either('runAsUser') ?? (group === undefined ? undefined : image.user.split(':')[0] || '0');
  const capabilities = (field: 'add' | 'drop') =>
    listAt(container, 'securityContext', 'capabilities', field).filter((one) => typeof one === 'string');
  const groups = [at(spec, 'securityContext', 'fsGroup'), ...listAt(spec, 'securityContext', 'supplementalGroups')];
  return {
    ...(user !== undefined && {
      user: [user, group]
        .filter((one) => one !== undefined)
        .map(wordOf)
        .join(':'),
    }),
    groups: groups.filter((one) => typeof one === 'number').map(String),
    cap_add: capabilities('add'),
    cap_drop: capabilities('drop'),
    no_new_privileges: own('allowPrivilegeEscalation') === false,
    read_only_filesystem: own('readOnlyRootFilesystem') === true,
  };
}
