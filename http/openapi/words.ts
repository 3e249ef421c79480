import type { TSchema } from '@sinclair/typebox';

const listed = (words: readonly (string | number)[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;

const wholeNumber = ({ minimum, maximum }: TSchema): string =>
  minimum === undefined || maximum === undefined ? 'a whole number' : `a whole number from ${minimum} to ${maximum}`;

function textWords({ format, minLength = 0, maxLength }: TSchema): string {
  if (format === 'date-time') return 'a time such as 2030-01-31T12:00:00Z';
  if (maxLength !== undefined) return `a text of ${minLength} to ${maxLength} characters`;
  return Number(minLength) > 0 ? 'a text that is not empty' : 'a text';
}

/** What a field has to be, in words. */
export function expected(schema: TSchema): string {
  const anyOf = schema['anyOf'] as readonly TSchema[] | undefined;
  if (anyOf) return listed(anyOf.map(expected));
  const words = schema['enum'] as readonly (string | number)[] | undefined;
  if (words) return listed(words);
  switch (schema['type']) {
    case 'integer':
      return wholeNumber(schema);
    case 'boolean':
      return 'true or false';
    case 'null':
      return 'null';
    default:
      return textWords(schema);
  }
}
