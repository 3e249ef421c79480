import type { Compliance, Read, Summary } from '../../../api.ts';
import type { ProjectSettingsPage } from '../../routes.ts';
import { fieldsIn, textIn, textsIn } from '../../model/details.ts';
import { type FormValues, wordsIn } from '../../model/form.ts';

/** What the pages of a project's settings are called. */
export const projectSettingsWords: Readonly<Record<ProjectSettingsPage, string>> = {
  general: 'General',
  environments: 'Environments',
  network: 'Network',
  compliance: 'Compliance',
  git: 'Git host',
  'pull-requests': 'Pull requests',
  webhooks: 'Webhooks',
  connections: 'Cloud connections',
  'backup-storage': 'Backup storage',
  delete: 'Delete',
};

export const generalFields = [
  {
    name: 'displayName',
    label: 'Name',
    kind: 'text',
    help: 'Shown to people, stored as lowercase words with hyphens.',
  },
  {
    name: 'region',
    label: 'Region',
    kind: 'text',
    help: 'The nodes that the project runs on; the region of the cluster when empty.',
  },
] as const;

export const generalValues = ({ resource, spec }: Read): FormValues => ({
  displayName: resource.displayName,
  region: textIn(spec['region']),
});

export const networkFields = [
  {
    name: 'private',
    label: "Keep this project's services private",
    kind: 'switch',
    help: 'Only the project, the platform and visitors of its hosts reach its services.',
  },
  {
    name: 'allowed',
    label: 'Allowed projects',
    kind: 'text',
    help: 'IDs of other projects whose services may reach those of this one, separated by spaces; at most 20.',
  },
] as const;

export function networkValues({ spec }: Read): FormValues {
  const { isolation, allowFromProjects } = fieldsIn(spec['network']);
  return { private: isolation === 'None' ? '' : 'on', allowed: textsIn(allowFromProjects).join(' ') };
}

/** What each check of required tags asks. */
export const checkWords: Readonly<Record<Compliance['checks'][number]['check'], string>> = {
  tagsExist: 'Some node carries all tags',
  nodesReserved: 'Nodes that carry them are reserved for them',
  databasesPlaced: 'Every database runs on such a node',
};

export const tagFields = [
  {
    name: 'tags',
    label: 'Tags',
    kind: 'text',
    help: 'A node must carry all of them to run anything of the project; separated by spaces, at most 8.',
  },
] as const;

/** The projects that may be allowed, by name; one that is allowed and gone stays in the list. */
export function allowable(
  own: string,
  chosen: readonly string[],
  projects: readonly Summary[],
): readonly { readonly id: string; readonly label: string }[] {
  const known = projects
    .filter(({ name }) => name !== own)
    .map(({ name, displayName }) => ({ id: name, label: displayName }));
  const gone = chosen.filter((id) => id !== own && !known.some((one) => one.id === id));
  return [...known.toSorted((a, b) => (a.label < b.label ? -1 : 1)), ...gone.map((id) => ({ id, label: 'not found' }))];
}

/** The body of the request that saves the network of a project; the list matters only while it is private. */
export const networkBody = ({ private: isPrivate, allowed }: FormValues): object => ({
  network: { isolation: isPrivate === 'on' ? 'Project' : 'None', allowFromProjects: wordsIn(allowed) },
});

/** The fields of the network that matter: without isolation everybody is allowed. */
export const networkShown = ({ private: isPrivate }: FormValues) =>
  networkFields.filter(({ name }) => name !== 'allowed' || isPrivate === 'on');

/** The body of the request that saves what was changed of a project's general settings. */
export const generalBody = (dirty: readonly string[], values: FormValues): object =>
  Object.fromEntries(dirty.map((name) => [name, (values[name] ?? '').trim()]));

/** Whether a project is linked to the Git host; only roles that read everything know it. */
export const isLinked = ({ spec }: Read): boolean => textIn(fieldsIn(spec['gitConnectionRef'])['name']) !== '';
