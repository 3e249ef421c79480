import type { Change, Explanation, Read, StatusItem } from '../../api.ts';
import { failuresAtMost, failuresOf } from './attempts.ts';
import { hintOfReason } from './hints.ts';
import { plural } from './plural.ts';

/** The machine of the service itself; the others are of its drafts and of its retries. */
export const mainMachine = 'service';

/** What the top of a service's page says: what it is, since when, and what comes next. */
export interface Standing {
  readonly sentence: string;
  /** When its state began; empty where that is not known. */
  readonly since: string;
  /** When the next pass is due; null where nothing is announced. */
  readonly nextCheck: string | null;
  /** Smaller facts, such as how many copies are ready. */
  readonly notes: readonly string[];
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const copiesWord = (replicas: StatusItem['replicas'] | undefined): readonly string[] =>
  replicas ? [`${replicas.ready} of ${plural(replicas.desired, 'copy', 'copies')} ready`] : [];

function failuresWord({ status, resource: { state } }: Read): readonly string[] {
  const count = failuresOf(status);
  return count === 0 || state === 'ready' ? [] : [`counted failures ${count} of ${failuresAtMost}`];
}

/** The earliest announced check of an object's machines. */
export function nextCheckOf(explanations: readonly Explanation[]): string | null {
  const [first] = explanations.flatMap(({ nextLook }) => nextLook ?? []).toSorted();
  return first ?? null;
}

export function standingOf(read: Read, status: StatusItem | null, explanations: readonly Explanation[]): Standing {
  const main = explanations.find(({ machine }) => machine === mainMachine);
  return {
    sentence: read.resource.message || capital(main?.text ?? ''),
    since: main?.since ?? '',
    nextCheck: nextCheckOf(explanations),
    notes: [...copiesWord(status?.replicas), ...failuresWord(read)],
  };
}

/** What to do about a service that is not well; empty where nothing helps but to wait. */
export const helpOf = ({ resource: { details } }: Read): string => hintOfReason(String(details['reason']));

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

/** Whether a change is of a secret, of which the name alone is told. */
export const isSecret = ({ path }: Change): boolean => secretPaths.some((start) => path.startsWith(start));

/** What a change is called: the name of a variable, or the path of a setting. */
export const changeName = ({ path, kind }: Change): string =>
  kind === 'variables' ? path.split('.').slice(2).join('.') : path.replace(/^spec\./, '');

/** A value in a change. */
export function valueWord(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
