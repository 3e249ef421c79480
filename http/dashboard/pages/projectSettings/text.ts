import type { SharedVariableItem, Summary } from '../../../api.ts';
import { countedSome } from '../../model/deletion.ts';

/** What a project or an environment holds. */
export interface Held {
  readonly services: readonly Summary[];
  readonly databases: readonly Summary[];
  readonly variables: readonly SharedVariableItem[];
}

const titles = (objects: readonly Summary[]): readonly string[] => objects.map(({ displayName }) => displayName);

const heldWords = ({ services, databases, variables }: Held): readonly string[] => [
  ...countedSome('service', titles(services)),
  ...countedSome('database', titles(databases)),
  ...countedSome(
    'shared variable',
    variables.map(({ name }) => name),
  ),
];

/** What goes with an environment. */
export const environmentGoes = (namespace: string, held: Held): readonly string[] => [
  ...heldWords(held),
  `the namespace ${namespace}, if Core made it`,
];

/** What goes with a project (document 001, Objects kept per environment). */
export const projectGoes = (environments: readonly string[], held: Held): readonly string[] => [
  ...countedSome('environment', environments),
  ...heldWords(held),
  'its buckets, logical databases and cloud connections',
  'its API tokens, at once, and its link to the Git host',
];

/** What outlives both. */
export const stays = [
  'images in the registry, repositories at the Git host',
  'namespaces that were there before',
  'the history of each object, for 30 days',
] as const;

/** Why the last environment has no button. */
export const keepsOne = 'A project keeps at least one environment.';
export const onlyAdminsSeeStorage = 'Only admins see backup storage.';
export const noAccountForBackups = 'Backups go to a bucket in an account that the project is linked to.';
export const removeStorageWarning = 'Databases are no longer backed up. The bucket and its backups stay.';
export const connectedToGit = 'The project is connected: services are built from its repositories, on every push.';
export const notConnectedToGit = 'The project is not connected: a service from a repository stays a draft.';
export const disconnectGitWarning =
  'Services from repositories keep running, but are not rebuilt until the project is connected.';
export const onlyAdminsSeeConnections = 'Only admins see cloud connections.';
export const noConnectionText = 'Backups and buckets go to an account that is linked here.';
export const deleteConnectionWarning = 'The keys are deleted from the cluster. The account and its contents stay.';
export const newKeysHelp =
  'The new keys apply at once. A field that is left empty keeps its value, which is never shown.';
export const complianceHelp = 'Applies at once, if every check holds.';
export const onlyAdminsSeeChecks = 'Only admins can view the checks of required tags.';
export const noResourceText = 'The resources of the project are listed here.';
export const onlyAdminsDelete = 'Only admins delete projects.';
export const deleteProjectWarning = 'Deletes the project with everything in it. This cannot be undone.';
export const networkHelp = 'Applies at once, to running services too.';
export const pageHelp = 'They apply as soon as they are saved, without a deploy.';
