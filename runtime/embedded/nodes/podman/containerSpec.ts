import { posix } from 'node:path';
import { at, listAt, textAt, wordOf } from '../../api/json.ts';
import { milli } from '../quantity.ts';
import { filledIn } from '../shell/environment.ts';
import type { Container, Pod } from '../shapes.ts';
import type { Source } from './volumes.ts';

/** What a container is made of, beside its spec. */
export interface Making {
  readonly name: string;
  readonly sandbox: string;
  readonly imageId: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly environment: ReadonlyMap<string, string>;
  readonly sourceOf: (volume: string) => Source | null;
  readonly logFile: string;
  readonly messageFile: string;
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
    image: making.imageId,
    labels: making.labels,
    env: Object.fromEntries(environment),
    ...(entrypoint.length > 0 && { entrypoint }),
    ...(command.length > 0 && { command }),
    ...(workingDir !== '' && { work_dir: workingDir }),
    stdin: container.stdin === true,
    terminal: at(container, 'tty') === true,
    // What is run again, and when, is the kubelet's to decide.
    restart_policy: 'no',
    healthconfig: { Test: ['NONE'] },
    log_configuration: { driver: 'k8s-file', path: making.logFile, size: longestLog },
    ...mountsOf(container, making),
    ...limitsOf(container),
    ...securityOf(pod, container),
  };
}

function mountsOf(container: Container, { sourceOf, messageFile }: Making) {
  const messagePath = textAt(container, 'terminationMessagePath') || usualMessagePath;
  const mounts: object[] = [bind(messageFile, messagePath, false)];
  const volumes: object[] = [];
  for (const mount of listAt(container, 'volumeMounts')) {
    const source = sourceOf(textAt(mount, 'name'));
    const target = textAt(mount, 'mountPath');
    const isReadOnly = at(mount, 'readOnly') === true;
    const subPath = textAt(mount, 'subPath');
    if (source?.is === 'folder') mounts.push(bind(posix.join(source.path, subPath), target, isReadOnly));
    if (source?.is === 'volume')
      volumes.push({
        Name: source.name,
        Dest: target,
        Options: [isReadOnly ? 'ro' : 'rw'],
        ...(subPath !== '' && { SubPath: subPath }),
      });
  }
  return { mounts, volumes };
}

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

function securityOf({ spec }: Pod, container: Container) {
  const own = (field: string) => at(container, 'securityContext', field);
  const either = (field: string) => own(field) ?? at(spec, 'securityContext', field);
  const [user, group] = [either('runAsUser'), either('runAsGroup')];
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
