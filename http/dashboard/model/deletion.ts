import type { Summary } from '../../api.ts';
import { grouped, plural } from './plural.ts';

/** Something on a server, which keeps the server from being taken away. */
export type OnServer = Pick<Summary, 'kind' | 'name' | 'project' | 'environment'>;

const maxNamed = 5;

/** A line for some objects; none where there are none of them. */
export const countedSome = (one: string, names: readonly string[]): readonly string[] =>
  names.length === 0 ? [] : [counted(one, names)];

/** Some objects, counted and named: `3 builds: a, b, c`; the number alone while their names are not known. */
export function counted(one: string, names: readonly string[] | number, many = `${one}s`): string {
  if (typeof names === 'number') return plural(names, one, many);
  const word = plural(names.length, one, many);
  if (names.length === 0) return word;
  const more = names.length > maxNamed ? ` and ${grouped(names.length - maxNamed)} more` : '';
  return `${word}: ${names.slice(0, maxNamed).join(', ')}${more}`;
}
