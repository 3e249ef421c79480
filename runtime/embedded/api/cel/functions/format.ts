import { Duration, EvaluationError, Timestamp, TypeValue, Uint, isList, isMap } from '../evaluate/values.ts';
import { typeNameOf } from '../evaluate/typeOfValue.ts';
import { doubleText } from './numbers.ts';
import { durationText, timestampText } from './times.ts';

/** A text with its clauses, such as `%s`, filled in. */
export function formatted(text: string, args: readonly unknown[]): string {
  let used = 0;
  const made = text.replace(/%(?:%|(?:\.(\d+))?([A-Za-z]?))/g, (clause, digits: string | undefined, verb: string) => {
    if (clause === '%%') return '%';
    if (verb === undefined || verb === '') throw new EvaluationError('unexpected end of string');
    if (used >= args.length) throw new EvaluationError(`index ${used} out of range`);
    const value = args[used];
    used += 1;
    return clauses[verb]?.(value, Number(digits ?? 6)) ?? unknownClause(verb);
  });
  return made;
}

function unknownClause(verb: string): never {
  throw new EvaluationError(`could not parse formatting clause: unrecognized formatting clause "${verb}"`);
}

interface Taken {
  readonly name: string;
  readonly words: string;
  /** Null for every type that has a text. */
  readonly types: readonly string[] | null;
}

const integers = ['int', 'uint'];
const hexadecimal: Taken = {
  name: 'hex',
  words: 'integers, byte buffers, and strings',
  types: [...integers, 'bytes', 'string'],
};

/** What can be given to the clauses of a text. */
export const takes: Readonly<Record<string, Taken>> = {
  s: {
    name: 'string',
    words: 'strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
    types: null,
  },
  d: { name: 'decimal', words: 'integers', types: integers },
  f: { name: 'fixed-point', words: 'doubles', types: ['double'] },
  e: { name: 'scientific', words: 'doubles', types: ['double'] },
  b: { name: 'binary', words: 'integers and bools', types: [...integers, 'bool'] },
  o: { name: 'octal', words: 'integers', types: integers },
  x: hexadecimal,
  X: hexadecimal,
};

const wordsOf = (clause: string) => Object.values(takes).find(({ name }) => name === clause)?.words ?? '';

/** The letters of the clauses of a text, in their order. */
export const clausesOf = (text: string): readonly string[] =>
  [...text.matchAll(/%(?:%|(?:\.\d+)?([A-Za-z]))/g)].flatMap(([, verb]) => (verb === undefined ? [] : [verb]));

function refused(clause: string, value: unknown): never {
  throw new EvaluationError(
    `error during formatting: ${clause} clause can only be used on ${wordsOf(clause)}, was given ${typeNameOf(value)}`,
  );
}

const whole = (value: unknown): bigint | null =>
  typeof value === 'bigint' ? value : value instanceof Uint ? value.value : null;

function hex(value: unknown): string {
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return whole(value)?.toString(16) ?? refused('hex', value);
}

const double = (value: unknown, clause: string): number => (typeof value === 'number' ? value : refused(clause, value));

/** Digits as they stand above the line. */
const raised = (digits: string) => digits.replace(/[-\d]/g, (sign) => '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'['-0123456789'.indexOf(sign)] ?? '');

function scientific(value: unknown, digits: number): string {
  const found = double(value, 'scientific');
  if (!Number.isFinite(found)) return named(found);
  const [mantissa = '', power = ''] = found.toExponential(digits).split('e');
  const exponent = power.replace(/^([+-])(\d)$/, '$10$2').replace(/^\+/, '');
  return `${mantissa}\u202f×\u202f10${raised(exponent)}`;
}

function fixedPoint(value: unknown, digits: number): string {
  const found = double(value, 'fixed-point');
  return Number.isFinite(found) ? found.toFixed(digits) : named(found);
}

const named = (value: number) => (Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity');

const clauses: Readonly<Record<string, (value: unknown, digits: number) => string>> = {
  s: shown,
  d: (value) => String(whole(value) ?? refused('decimal', value)),
  f: fixedPoint,
  e: scientific,
  b: (value) =>
    typeof value === 'boolean' ? String(Number(value)) : (whole(value)?.toString(2) ?? refused('binary', value)),
  o: (value) => whole(value)?.toString(8) ?? refused('octal', value),
  x: hex,
  X: (value) => hex(value).toUpperCase(),
};

function shown(value: unknown): string {
  if (typeof value === 'number') return Number.isFinite(value) ? doubleText(value) : named(value);
  if (isList(value)) return `[${value.map(shown).join(', ')}]`;
  if (isMap(value)) {
    const entries = [...value.keys()].map((key) => [shown(key), shown(value.get(key))] as const);
    return `{${entries
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => `${key}: ${one}`)
      .join(', ')}}`;
  }
  return scalar(value);
}

function scalar(value: unknown): string {
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof Duration) return durationText(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (value instanceof Uint) return String(value.value);
  if (value instanceof TypeValue) return value.name;
  if (value === null || value === undefined) return 'null';
  const isPlain = typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean';
  return isPlain ? String(value) : refused('string', value);
}
