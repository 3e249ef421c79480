import type { Read } from '../../api.ts';
import { valueAt, withAt } from './atPath.ts';
import { detailOf, fieldsIn, textIn, textsIn } from './details.ts';
import { isDraft } from './gate.ts';
import type { FormValues } from './form.ts';
import { listIn, listText } from './listText.ts';
import type { Field } from './settingFields.ts';

/** What each instance may take, as the pages offer it. */
const cpuChoices = [
  ['100m', '0.1 CPU'],
  ['250m', '0.25 CPU'],
  ['500m', '0.5 CPU'],
  ['1', '1 CPU'],
  ['2', '2 CPU'],
] as const;
const memoryChoices = [
  ['128Mi', '128 MB'],
  ['256Mi', '256 MB'],
  ['512Mi', '512 MB'],
  ['1Gi', '1 GB'],
  ['2Gi', '2 GB'],
  ['4Gi', '4 GB'],
] as const;

/** What an engine gets where nothing is chosen. */
export const defaultsOf = (engine: string) => ({
  cpu: engine === 'SQLite' ? '100m' : '250m',
  memory: engine === 'SQLite' ? '128Mi' : '512Mi',
  storageSize: engine === 'SQLite' ? '1Gi' : '10Gi',
});

export const isExternal = (read: Read): boolean => detailOf(read.resource, 'placement') === 'External';
export const isShared = ({ resource }: Read): boolean => resource.project === '';
const engineIn = ({ resource }: Read): string => detailOf(resource, 'engine');

/** Whether it was deployed: from then on its data stay on the nodes and disks that they were put on. */
const wasDeployed = ({ status }: Read): boolean =>
  textIn(status['targetNamespace']) !== '' || Object.keys(fieldsIn(status['running'])).length > 0;

/** Whether it ran before and is a draft again; its status keeps where it was reached. */
export const isStopped = ({ resource }: Pick<Read, 'resource'>): boolean =>
  resource.state === 'draft' && detailOf(resource, 'host') !== '';

/** Whether an engine keeps its data on a disk. */
export const hasDisk = (read: Read): boolean => !isExternal(read) && engineIn(read) !== 'Redis';

/** The disk of each instance: what is asked for, else what the engine gets; empty where the engine is hidden. */
export const storageWord = (read: Read): string =>
  detailOf(read.resource, 'storageSize') || (engineIn(read) === '' ? '' : defaultsOf(engineIn(read)).storageSize);

/** Where a database runs, in words. */
export function placeWord(read: Read): string {
  if (isExternal(read)) return detailOf(read.resource, 'provider') === 'ManagedDb' ? 'at its provider' : 'elsewhere';
  const instances = read.spec['instances'];
  return typeof instances === 'number' && instances > 1 ? `in the cluster, ${instances} instances` : 'in the cluster';
}

/** A value that kubectl set and no page offers is offered too. */
function choice(read: Read, field: Field, choices: readonly (readonly [value: string, label: string])[]): Field {
  const options = choices.map(([value, label]) => ({ value, label }));
  const set = textIn(valueAt(read.spec, field.path.split('.')));
  const isOffered = set === '' || options.some(({ value }) => value === set);
  return { ...field, kind: 'choice', options: isOffered ? options : [...options, { value: set, label: set }] };
}

/** Settings that apply without a deploy: backups, where there are some. */
export const databaseAtOnce = (read: Read): readonly Field[] =>
  !hasDisk(read) || isShared(read)
    ? []
    : [
        { name: 'enabled', label: 'Back up', path: 'backup.enabled', kind: 'switch' },
        {
          name: 'retentionDays',
          label: 'Days that can be restored',
          path: 'backup.retentionDays',
          kind: 'number',
          help: 'From 1 to 365.',
          absent: '7',
          under: 'enabled',
        },
      ];

const external: readonly Field[] = [
  { name: 'externalHost', label: 'Host', path: 'externalHost', kind: 'text' },
  {
    name: 'externalPort',
    label: 'Port',
    path: 'externalPort',
    kind: 'number',
    help: 'The default of the engine when empty.',
  },
  { name: 'databaseName', label: 'Database', path: 'databaseName', kind: 'text' },
  { name: 'username', label: 'User name', path: 'username', kind: 'text' },
  {
    name: 'passwordSecret',
    label: 'Secret with the password',
    path: 'passwordSecretRef.name',
    kind: 'text',
    help: 'A Secret in core-system; the password itself is never typed here.',
  },
  {
    name: 'passwordKey',
    label: 'Its key',
    path: 'passwordSecretRef.key',
    kind: 'text',
    help: 'Empty for password.',
  },
];

function inCluster(read: Read): readonly Field[] {
  const engine = engineIn(read);
  const { cpu, memory, storageSize } = defaultsOf(engine);
  return [
    ...(engine === 'Postgres'
      ? [
          {
            name: 'version',
            label: 'Version',
            path: 'version',
            kind: 'text',
            help: 'The major version, such as 16. It never falls.',
          } as const,
        ]
      : []),
    choice(
      read,
      { name: 'cpu', label: 'CPU', path: 'resources.requests.cpu', kind: 'choice', absent: cpu },
      cpuChoices,
    ),
    choice(
      read,
      { name: 'memory', label: 'Memory', path: 'resources.requests.memory', kind: 'choice', absent: memory },
      memoryChoices,
    ),
    ...(hasDisk(read)
      ? [
          {
            name: 'storageSize',
            label: 'Storage',
            path: 'storageSize',
            kind: 'text',
            help: 'Of each instance, such as 10Gi. It grows and never shrinks.',
            absent: storageSize,
          } as const,
        ]
      : []),
    ...(wasDeployed(read)
      ? []
      : [
          {
            name: 'runOn',
            label: 'Run on',
            path: 'runOn.tags',
            kind: 'words',
            help: `Tags that a node must all carry, separated by spaces. Fixed once it ${isDraft(read.resource) ? 'is deployed' : 'runs'}.`,
          } as const,
        ]),
  ];
}

/** Settings that wait for a deploy. */
export const databaseOnDeploy = (read: Read): readonly Field[] => (isExternal(read) ? external : inCluster(read));

const bodyValue = ({ kind }: Field, value = ''): unknown => {
  if (kind === 'switch') return value === 'on';
  if (kind === 'number') return value.trim() === '' ? null : Number(value);
  return kind === 'words' ? listIn(kind, value) : value.trim();
};

type Body = Readonly<Record<string, unknown>>;

/** The body that saves what was changed, at the paths of the spec; what stands below one setting is sent together. */
export function databaseBody(fields: readonly Field[], before: FormValues, after: FormValues): Body {
  const headOf = ({ path }: Field): string => path.split('.')[0] ?? '';
  const changed = new Set(fields.filter(({ name }) => before[name] !== after[name]).map(headOf));
  return fields
    .filter((field) => changed.has(headOf(field)))
    .reduce<Body>((body, field) => withAt(body, field.path.split('.'), bodyValue(field, after[field.name])), {});
}

/** What never changes, each with why. */
export function frozenOf(
  read: Read,
): readonly { readonly name: string; readonly value: string; readonly why: string }[] {
  const engine = { name: 'Engine', value: engineIn(read), why: 'Another engine is another database.' };
  if (!wasDeployed(read) || isExternal(read)) return [engine];
  const tags = listText('words', textsIn(fieldsIn(read.spec['runOn'])['tags']));
  return [
    engine,
    {
      name: 'Run on',
      value: tags === '' ? 'any node' : tags,
      why: 'A database keeps its data on the nodes it was first deployed to.',
    },
  ];
}
