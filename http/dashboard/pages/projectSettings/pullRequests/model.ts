import type { PullRequestItem, Read } from '../../../../api.ts';
import { fieldsIn, textIn, textsIn } from '../../../model/details.ts';
import type { FormValues } from '../../../model/form.ts';
import { isLinked } from '../model.ts';
import type { Field } from '../../../model/settingFields.ts';

const defaultMaxOpen = '5';

type FormFieldOf = Pick<Field, 'name' | 'label' | 'kind' | 'help' | 'options'>;

export const prEnvironmentFields = (read: Read): readonly FormFieldOf[] => [
  {
    name: 'enabled',
    label: 'Make an environment for every pull request',
    kind: 'switch',
    help: 'A copy of the base environment, removed with everything in it when the pull request closes.',
  },
  {
    name: 'baseEnvironment',
    label: 'Base environment',
    kind: 'choice',
    options: baseOptions(read),
    help: 'Its services and databases in the cluster are copied.',
  },
  {
    name: 'maxOpen',
    label: 'Most at a time',
    kind: 'number',
    help: '1 to 25. A pull request beyond it gets no environment.',
  },
];

/** The environments that may be copied: those of no pull request, and what is stored, though it be gone. */
function baseOptions({ spec, status }: Read): NonNullable<Field['options']> {
  const all = textsIn(spec['environments']);
  const entries = Array.isArray(status['pullRequests']) ? status['pullRequests'].map(fieldsIn) : [];
  const ofPullRequests = entries.map(({ environment }) => textIn(environment));
  const stored = textIn(fieldsIn(spec['prEnvironments'])['baseEnvironment']);
  const [first = ''] = all;
  const own = all.filter((one) => one === stored || !ofPullRequests.includes(one));
  const gone = stored === '' || all.includes(stored) ? [] : [{ value: stored, label: `${stored} (not there)` }];
  return [{ value: '', label: `The first one (${first})` }, ...own, ...gone];
}

export function prEnvironmentValues({ spec }: Read): FormValues {
  const { enabled, baseEnvironment, maxOpen } = fieldsIn(spec['prEnvironments']);
  return {
    enabled: enabled === true ? 'on' : '',
    baseEnvironment: textIn(baseEnvironment),
    maxOpen: typeof maxOpen === 'number' ? String(maxOpen) : defaultMaxOpen,
  };
}

/** The body of the request that saves them; a number that is none is sent as it is, and refused there. */
export const prEnvironmentBody = ({ enabled, baseEnvironment = '', maxOpen = '' }: FormValues): object => ({
  enabled: enabled === 'on',
  baseEnvironment,
  maxOpen: maxOpen.trim() === '' ? Number(defaultMaxOpen) : Number(maxOpen),
});

/** How much room is left: `2 of 5 are open`. */
export const capacityText = (items: readonly PullRequestItem[], { maxOpen = defaultMaxOpen }: FormValues): string =>
  `${items.length} of ${maxOpen} are open`;

/** What has to be so before a pull request gets an environment, and whether it is. */
export function preconditionsOf(read: Read): readonly { readonly label: string; readonly holds: boolean }[] {
  const { enabled, baseEnvironment } = fieldsIn(read.spec['prEnvironments']);
  const environments = textsIn(read.spec['environments']);
  const base = textIn(baseEnvironment) || (environments[0] ?? '');
  return [
    { label: 'They are turned on', holds: enabled === true },
    { label: 'The project is connected to the Git host', holds: isLinked(read) },
    { label: `The base environment ${base} is there`, holds: environments.includes(base) },
  ];
}
