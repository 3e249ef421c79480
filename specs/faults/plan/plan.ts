import type { FaultSubject, Path } from '../subjects/subject.ts';
import { readTrouble, sayTrouble, type Trouble } from './trouble.ts';

/** One path and all faults injected into it. */
export interface Plan {
  readonly subject: FaultSubject;
  readonly path: Path;
  readonly troubles: readonly Trouble[];
}

const between = ' / ';

/** The plan as text that can be parsed again: `build / the Job fails / dies at=3 when=after`. */
export const sayPlan = ({ subject, path, troubles }: Plan): string =>
  [subject.name, path.name, ...troubles.map(sayTrouble)].join(between);

/** Parses a plan; an invalid text gives the reason as a string. */
export function readPlan(text: string, subjects: readonly FaultSubject[]): Plan | string {
  const [subjectName = '', pathName = '', ...said] = text.split(between).map((part) => part.trim());
  const subject = subjects.find(({ name }) => name === subjectName);
  if (!subject) return `no lifecycle is called "${subjectName}": ${subjects.map(({ name }) => name).join(', ')}`;
  const path = subject.paths.find(({ name }) => name === pathName);
  if (!path) return `${subjectName} has no path "${pathName}": ${subject.paths.map(({ name }) => name).join(' | ')}`;
  const troubles = said.map(readTrouble);
  const unread = said.find((_, index) => troubles[index] === null);
  if (unread !== undefined) return `"${unread}" is no trouble`;
  return { subject, path, troubles: troubles.filter((trouble) => trouble !== null) };
}
