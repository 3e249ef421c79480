import { endOfString } from './endOfString.ts';
import { measured, mostValues } from './shape.ts';

/** What reading a JSON text comes to: its value, or why there is none in the words of the API server. */
export type JsonReading =
  { readonly value: unknown; readonly names: number; readonly why?: undefined } | { readonly why: string };

export function readJson(text: string, most = mostValues): JsonReading {
  const { tooDeep, names } = measured(text, most);
  if (tooDeep !== null) return { why: `invalid character '${tooDeep}' exceeded max depth` };
  try {
    return { value: JSON.parse(text) as unknown, names };
  } catch (why) {
    return { why: syntaxError(why instanceof Error ? why.message : '', text) };
  }
}

/** What Go says of the character at which a text stops being JSON, by the words of our own parser. */
const places: readonly (readonly [string, string])[] = [
  ["Expected ':'", 'after object key'],
  ["Expected ',' or '}'", 'after object key:value pair'],
  ["Expected ',' or ']'", 'after array element'],
  ['Expected property name', 'looking for beginning of object key string'],
  ['Expected double-quoted property name', 'looking for beginning of object key string'],
  ['Bad control character', 'in string literal'],
  ['Bad escaped character', 'in string escape code'],
  ['Unexpected non-whitespace character', 'after top-level value'],
];

function syntaxError(message: string, text: string): string {
  const literal = brokenLiteral(text);
  if (literal !== null) return literal;
  const [, unexpected] = /^Unexpected token '?(.)'?/.exec(message) ?? [];
  if (unexpected !== undefined) return `invalid character '${unexpected}' looking for beginning of value`;
  const [, place] = places.find(([words]) => message.startsWith(words)) ?? [];
  const found = text[Number(/at position (\d+)/.exec(message)?.[1] ?? text.length)];
  return place === undefined || found === undefined
    ? 'unexpected end of JSON input'
    : `invalid character '${found === '"' ? found : JSON.stringify(found).slice(1, -1)}' ${place}`;
}

/** What is said of a word that begins as `true`, `false` or `null` and goes on otherwise; null where there is none. */
function brokenLiteral(text: string): string | null {
  for (const [, word = ''] of withoutStrings(text).matchAll(/(?:^|[[{:,\s])([tfn][^\s,:\]}]*)/g)) {
    const wanted = ['true', 'false', 'null'].find(([first]) => first === word[0]) ?? '';
    const fits = word.split('').findIndex((letter, index) => letter !== wanted[index]);
    const good = fits < 0 ? word.length : fits;
    // After its last character a text is read as if a space came.
    if (good > 0 && good < wanted.length)
      return `invalid character '${word[good] ?? ' '}' in literal ${wanted} (expecting '${wanted[good]}')`;
  }
  return null;
}

function withoutStrings(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let quote = text.indexOf('"'); quote >= 0; quote = text.indexOf('"', from)) {
    parts.push(text.slice(from, quote));
    from = endOfString(text, quote);
  }
  return [...parts, text.slice(from)].join('""');
}

/** The type of a JSON value as Go names it. */
export function goKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
