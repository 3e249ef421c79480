import { namedEscapes } from '../../goQuote.ts';
import { type CelMap, EvaluationError } from '../evaluate/values.ts';
import { formatted } from './format.ts';
import { allLike, firstLike, isLike } from './regex.ts';
import type { Functions } from './signature.ts';
import { lengthOf, letters } from './text.ts';

const sizeOf = (list: { readonly length: number }) => BigInt(list.length);

function place(index: bigint, most: number): number {
  if (index < 0n || index > BigInt(most)) throw new EvaluationError(`index out of range: ${index}`);
  return Number(index);
}

/** An empty text is found at any start position, even behind the end. */
function indexOf(text: string, wanted: string, from = 0n): bigint {
  if (wanted === '') return from;
  const all = letters(text);
  const before = all.slice(0, beginning(from)).join('');
  const at = text.indexOf(wanted, before.length);
  return at < 0 ? -1n : BigInt(lengthOf(text.slice(0, at)));
}

function lastIndexOf(text: string, wanted: string, from?: bigint): bigint {
  const all = letters(text);
  if (wanted === '') return from ?? BigInt(all.length);
  if (all.length === 0 && from === undefined) return -1n;
  const start = beginning(from ?? BigInt(all.length - 1));
  if (start >= all.length) return -1n;
  const at = text.lastIndexOf(wanted, all.slice(0, start).join('').length);
  return at < 0 ? -1n : BigInt(lengthOf(text.slice(0, at)));
}

function beginning(index: bigint): number {
  if (index < 0n) throw new EvaluationError(`index out of range: ${index}`);
  return Number(index);
}

function substring(text: string, start: bigint, end?: bigint): string {
  const all = letters(text);
  const last = end ?? BigInt(all.length);
  if (end !== undefined && start > end)
    throw new EvaluationError(`invalid substring range. start: ${start}, end: ${end}`);
  return all.slice(place(start, all.length), place(last, all.length)).join('');
}

function replaced(text: string, found: string, by: string, times = -1n): string {
  if (times < 0n) return found === '' ? between(text, by) : text.replaceAll(found, () => by);
  let [left, rest] = ['', text];
  for (let done = 0n; done < times; done += 1n) {
    const at = rest.indexOf(found);
    if (at < 0) break;
    left += rest.slice(0, at) + by;
    rest = rest.slice(at + found.length);
    if (found !== '') continue;
    const [letter = ''] = letters(rest);
    if (letter === '') break;
    left += letter;
    rest = rest.slice(letter.length);
  }
  return left + rest;
}

const between = (text: string, by: string) =>
  `${by}${letters(text)
    .map((letter) => `${letter}${by}`)
    .join('')}`;

function split(text: string, by: string, most = -1n): readonly string[] {
  if (most === 0n) return [];
  const all = by === '' ? letters(text) : text.split(by);
  if (most < 0n || BigInt(all.length) <= most) return all;
  const count = Number(most) - 1;
  return [...all.slice(0, count), all.slice(count).join(by)];
}

function join(list: readonly unknown[], by = ''): string {
  if (!list.every((one) => typeof one === 'string')) throw new EvaluationError('no such overload');
  return list.join(by);
}

const escapes: Readonly<Record<string, string>> = {
  ...namedEscapes,
  '\\': '\\\\',
  '"': '\\"',
};

const quote = (text: string) =>
  `"${letters(text)
    .map((letter) => escapes[letter] ?? letter)
    .join('')}"`;

/** A white space of Unicode, and not the mark that tells the order of bytes. */
const space = '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+';
const outer = new RegExp(`^${space}|${space}$`, 'g');

/** Functions over texts, and the size of everything that has one. */
export const strings: Functions = {
  ...sizes(),
  'string.contains(string): bool': (text: string, part: string) => text.includes(part),
  'string.endsWith(string): bool': (text: string, part: string) => text.endsWith(part),
  'string.startsWith(string): bool': (text: string, part: string) => text.startsWith(part),
  'matches(string, string): bool': matches,
  'string.matches(string): bool': matches,
  'string.charAt(int): string': (text: string, index: bigint) =>
    letters(text)[place(index, letters(text).length)] ?? '',
  'string.indexOf(string): int': indexOf,
  'string.indexOf(string, int): int': indexOf,
  'string.lastIndexOf(string): int': lastIndexOf,
  'string.lastIndexOf(string, int): int': lastIndexOf,
  'string.lowerAscii(): string': (text: string) => text.replace(/[A-Z]+/g, (found) => found.toLowerCase()),
  'string.upperAscii(): string': (text: string) => text.replace(/[a-z]+/g, (found) => found.toUpperCase()),
  'string.replace(string, string): string': replaced,
  'string.replace(string, string, int): string': replaced,
  'string.split(string): list<string>': split,
  'string.split(string, int): list<string>': split,
  'string.substring(int): string': substring,
  'string.substring(int, int): string': substring,
  'string.trim(): string': (text: string) => text.replace(outer, ''),
  'string.format(list<dyn>): string': formatted,
  'strings.quote(string): string': quote,
  'list<string>.join(): string': join,
  'list<string>.join(string): string': join,
  'string.find(string): string': (text: string, pattern: string) => firstLike(pattern, text),
  'string.findAll(string): list<string>': findAll,
  'string.findAll(string, int): list<string>': findAll,
};

function sizes(): Functions {
  const of: Functions = {
    string: (text: string) => BigInt(lengthOf(text)),
    bytes: sizeOf,
    'list<A>': sizeOf,
    'map<A, B>': ({ size }: CelMap) => BigInt(size),
  };
  return Object.fromEntries(
    Object.entries(of).flatMap(([type, size]) => [
      [`size(${type}): int`, size],
      [`${type}.size(): int`, size],
    ]),
  );
}

function matches(text: string, pattern: string): boolean {
  return isLike(pattern, text);
}

function findAll(text: string, pattern: string, most = -1n): readonly string[] {
  return allLike(pattern, text, most < 0n ? undefined : Number(most));
}
