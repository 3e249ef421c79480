import type { TSchema } from '@sinclair/typebox';

const listed = (words: readonly (string | number)[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;

function wholeNumber({ minimum, maximum }: TSchema): string {
  if (minimum === undefined) return 'a whole number';
  return maximum === undefined ? `a whole number from ${minimum}` : `a whole number from ${minimum} to ${maximum}`;
}

const listMessage = ({ uniqueItems, maxItems }: TSchema): string =>
  `a list${maxItems === undefined ? '' : ` of at most ${maxItems}`}${uniqueItems === true ? ', none twice' : ''}`;

function textMessage({ format, minLength = 0, maxLength, pattern, examples }: TSchema): string {
  if (format === 'date-time') return 'a time such as 2030-01-31T12:00:00Z';
  if (Array.isArray(examples)) return `a text such as ${String(examples[0])}`;
  if (pattern !== undefined)
    return `a text that matches ${pattern}${maxLength === undefined ? '' : ` and has at most ${maxLength} characters`}`;
  if (maxLength !== undefined && Number(minLength) === 0) return `at most ${maxLength} characters`;
  if (maxLength !== undefined) return `a text of ${minLength} to ${maxLength} characters`;
  return Number(minLength) > 0 ? 'a text that is not empty' : 'a text';
}

/** The expected value of a field, in words. */
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
    case 'array':
      return listMessage(schema);
    case 'object':
      return 'an object';
    default:
      return textMessage(schema);
  }
}
