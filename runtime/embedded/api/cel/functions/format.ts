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

const takes: Readonly<Record<string, string>> = {
  decimal: 'integers',
  octal: 'integers',
  binary: 'integers and bools',
  hex: 'integers, byte buffers, and strings',
  'fixed-point': 'doubles',
  scientific: 'doubles',
  string: 'strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
};

function refused(clause: string, value: unknown): never {
  throw new EvaluationError(
    `error during formatting: ${clause} clause can only be used on ${takes[clause]}, was given ${typeNameOf(value)}`,
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

function scientific(value: unknown, digits: number): string {
  const found = double(value, 'scientific');
  if (!Number.isFinite(found)) return named(found);
  return found.toExponential(digits).replace(/e([+-])(\d)$/, 'e$10$2');
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
