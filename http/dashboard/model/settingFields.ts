import { maxCopies, portOf, usual } from '../../../rules/service/effective.ts';
import { fieldsIn } from './details.ts';
import { runtimes } from './newService.ts';

/** A setting of a service. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly path: string;
  /**
   * `words` are several texts, separated by spaces; `state` is a switch that the API calls on or off; a `secret` is
   * neither shown nor remembered, and a `secretText` is one of several lines.
   */
  readonly kind: 'text' | 'number' | 'switch' | 'state' | 'words' | 'lines' | 'choice' | 'secret' | 'secretText';
  /** The values of a choice. */
  readonly options?: readonly (string | { readonly value: string; readonly label: string })[];
  readonly help?: string;
  /** The value that takes effect where the setting is absent. */
  readonly absent?: string | ((spec: Readonly<Record<string, unknown>>) => string);
  /** Only services with this source have the setting. */
  readonly source?: 'image' | 'git' | 'function';
  /** The switch without which the setting does not matter. */
  readonly under?: string;
  /** Whether redacted copies leave it out: then its absence means nothing. */
  readonly redacted?: true;
  /** The setting of the API that it is a part of. */
  readonly part?: 'autoscaling' | 'resources';
}

const maxScaledCopies: Field['absent'] = (spec) =>
  String(maxCopies({ enabled: true, ...fieldsIn(spec['autoscaling']) }));

/** Settings that apply without a deploy. */
export const atOnceFields: readonly Field[] = [
  { name: 'replicas', label: 'Copies', path: 'replicas', kind: 'number', absent: '1' },
  {
    name: 'autoscaling',
    label: 'Follow the load',
    path: 'autoscaling.enabled',
    kind: 'switch',
    help: 'Takes over the number of copies.',
    part: 'autoscaling',
  },
  ...(
    [
      ['min', 'Fewest copies', String(usual.fewest)],
      ['max', 'Most copies', maxScaledCopies],
      ['cpuPercent', 'CPU target in percent', String(usual.cpuPercent)],
    ] as const
  ).map(([name, label, absent]): Field => ({
    name,
    label,
    path: `autoscaling.${name}`,
    kind: 'number',
    absent,
    under: 'autoscaling',
    part: 'autoscaling',
  })),
  {
    name: 'host',
    label: 'Host',
    path: 'networking.host',
    kind: 'text',
    redacted: true,
    help: 'Such as shop.example.com; empty for the one that the platform gives, if it has a domain.',
  },
  { name: 'tls', label: 'Serve over HTTPS', path: 'networking.tls', kind: 'switch', absent: 'on' },
  {
    name: 'scaleToZero',
    label: 'Sleep without requests',
    path: 'scaleToZero.enabled',
    kind: 'state',
    help: 'No copy runs until the next request, which waits for one.',
  },
  {
    name: 'idleSeconds',
    label: 'Asleep after seconds',
    path: 'scaleToZero.idleSeconds',
    kind: 'number',
    help: 'From 30 to 86400.',
    absent: String(usual.idleSeconds),
    under: 'scaleToZero',
  },
  {
    name: 'maxReplicas',
    label: 'Most copies while awake',
    path: 'scaleToZero.maxReplicas',
    kind: 'number',
    help: 'As many as Copies where it is empty.',
    under: 'scaleToZero',
  },
];

/** Settings that wait for a deploy. */
export const onDeployFields: readonly Field[] = [
  { name: 'image', label: 'Image', path: 'source.image', kind: 'text', source: 'image', redacted: true },
  { name: 'branch', label: 'Branch', path: 'source.git.branch', kind: 'text', source: 'git' },
  {
    name: 'commit',
    label: 'Commit',
    path: 'source.git.commit',
    kind: 'text',
    help: 'Empty to follow the branch.',
    source: 'git',
  },
  { name: 'context', label: 'Root directory', path: 'source.git.context', kind: 'text', source: 'git' },
  {
    name: 'buildfile',
    label: 'Recipe',
    path: 'source.git.buildfile',
    kind: 'text',
    absent: 'Buildfile',
    source: 'git',
  },
  { name: 'waitForCI', label: 'Wait for CI', path: 'source.git.waitForCI', kind: 'switch', source: 'git' },
  {
    name: 'watchPaths',
    label: 'Watched paths',
    path: 'source.git.watchPaths',
    kind: 'lines',
    help: 'Only a push that touches one of them builds; one a line, empty for any. ! excludes.',
    source: 'git',
  },
  { name: 'cache', label: 'Keep layers between builds', path: 'build.cache', kind: 'switch', source: 'git' },
  {
    name: 'runtime',
    label: 'Runtime',
    path: 'source.function.runtime',
    kind: 'choice',
    options: runtimes,
    source: 'function',
  },
  {
    name: 'handler',
    label: 'Handler',
    path: 'source.function.handler',
    kind: 'text',
    help: 'The exported function that is called; empty for handler.',
    source: 'function',
  },
  { name: 'port', label: 'Port', path: 'port', kind: 'number', absent: (spec) => String(portOf(spec)) },
  ...(
    [
      ['cpu', 'CPU for each copy', 'requests.cpu', 'Such as 250m; nodes are chosen by it.'],
      ['memory', 'Memory for each copy', 'requests.memory', 'Such as 128Mi; nodes are chosen by it.'],
      ['cpuLimit', 'Most CPU', 'limits.cpu', undefined],
      ['memoryLimit', 'Most memory', 'limits.memory', 'A copy that takes more is ended.'],
    ] as const
  ).map(([name, label, path, help]): Field => ({
    name,
    label,
    path: `resources.${path}`,
    kind: 'text',
    part: 'resources',
    ...(help === undefined ? {} : { help }),
  })),
  {
    name: 'sharedVariableRefs',
    label: 'Shared variables',
    path: 'sharedVariableRefs',
    kind: 'words',
    redacted: true,
    help: 'Names of shared variables of the environment that it takes, separated by spaces.',
  },
];
