import type { Change, Explanation, Read, StatusItem } from '../../api.ts';
import { plural } from './plural.ts';
import { resourceSummary, type ResourceSummary } from './resource.ts';

/** The machine of the service itself; the others are of its drafts and of its retries. */
const mainMachine = 'service';

const copiesWord = (replicas: StatusItem['replicas'] | undefined): readonly string[] =>
  replicas ? [`${replicas.ready} of ${plural(replicas.desired, 'copy', 'copies')} ready`] : [];

/** How many copies of a service run; null while that is not read. */
export const copiesOf = (status: Pick<StatusItem, 'replicas'> | null): number | null =>
  status && (status.replicas?.desired ?? 0);

export function summaryOf(
  read: Read,
  status: StatusItem | null,
  explanations: readonly Explanation[],
): ResourceSummary {
  const standing = resourceSummary(read, mainMachine, explanations);
  return { ...standing, notes: [...copiesWord(status?.replicas), ...standing.notes] };
}

/** `1 setting, 2 variables not deployed`. */
export function changesWord(changes: readonly Change[]): string {
  const variables = changes.filter(({ kind }) => kind === 'variables').length;
  const settings = changes.length - variables;
  const parts = [
    ...(settings > 0 ? [plural(settings, 'setting')] : []),
    ...(variables > 0 ? [plural(variables, 'variable')] : []),
  ];
  return `${parts.join(', ')} not deployed`;
}

const secretPaths = ['spec.secretData.', 'spec.secretVariables.'];

/** Whether a change is of a secret, of which the API returns the name alone. */
export const isSecret = ({ path }: Change): boolean => secretPaths.some((start) => path.startsWith(start));

/** What a change is called: the name of a variable, or the path of a setting. */
export const changeName = ({ path, kind }: Change): string =>
  kind === 'variables' ? path.split('.').slice(2).join('.') : path.replace(/^spec\./, '');

/** A value in a change. */
export function valueWord(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
