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
