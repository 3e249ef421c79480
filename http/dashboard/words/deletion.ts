import { grouped, plural } from './plural.ts';

const mostNamed = 5;

/** Some objects, counted and named: `3 builds: a, b, c`; the number alone while their names are not known. */
export function counted(one: string, names: readonly string[] | number, many = `${one}s`): string {
  if (typeof names === 'number') return plural(names, one, many);
  const word = plural(names.length, one, many);
  if (names.length === 0) return word;
  const more = names.length > mostNamed ? ` and ${grouped(names.length - mostNamed)} more` : '';
  return `${word}: ${names.slice(0, mostNamed).join(', ')}${more}`;
}
