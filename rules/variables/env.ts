import { unusableValue } from '../variableValue.ts';
import { quotedValue, type Quoted } from './quoted.ts';
import { isVariableName } from './name.ts';

/** Variables in the order of a text. */
export type Variables = readonly (readonly [name: string, value: string])[];

/** The result of parsing a `.env` text. */
export interface EnvRead {
  /** Each name once: for a repeated name the last value. */
  readonly variables: Variables;
  /** Rejected parts, each with its line. */
  readonly problems: readonly string[];
  /** Accepted parts that other readers interpret differently. */
  readonly notes: readonly string[];
}

/** A value, the position after it, and why it is rejected. */
interface Value {
  readonly value: string;
  readonly end: number;
  /** The part in which other readers expand `$`. */
  readonly filled: string;
  readonly problem?: string;
}

/**
 * The variables of a `.env` text, by the rules that dotenv and docker compose share: `NAME=value`, `export NAME=value`
 * and `NAME: value`; a value without quotes ends at the line or at a `#` after a blank and is trimmed; in single quotes
 * and backticks everything is literal, in double quotes `\n`, `\r`, `\t`, `\"`, `\\` and `\$` are escapes; a value in
 * quotes may span several lines. `$` is never expanded. Every rejected part gives a problem with its line.
 */
export function readEnv(given: string): EnvRead {
  const text = given.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  const found = new Map<string, string>();
  const [problems, notes]: [string[], string[]] = [[], []];
  let line = 1;
  for (let at = 0; at < text.length;) {
    const { name, value, end, filled, problem } = entryAt(text, at);
    if (problem !== undefined) problems.push(`line ${line}: ${problem}`);
    else if (name !== '') {
      if (found.has(name)) notes.push(`line ${line}: "${name}" is given twice, and this value is taken`);
      if (/(?:^|[^\\])\$[\w{(]/.test(filled)) notes.push(`line ${line}: "$" in "${name}" is taken as it is written`);
      found.set(name, value);
    }
    for (let next = text.indexOf('\n', at); next !== -1 && next < end; next = text.indexOf('\n', next + 1)) line++;
    at = end;
  }
  return { variables: [...found], problems, notes };
}

/** Writes variables so that all readers of `.env` files agree, where their rules allow it. */
export const envOf = (variables: Variables): string =>
  variables.map(([name, value]) => `${name}=${written(value)}`).join('\n');

function written(value: string): string {
  if (/^[\w@%+:,./-]*$/.test(value)) return value;
  if (!/['\r]|\\$/.test(value)) return `'${value}'`;
  return `"${value.replaceAll(/["\\$]/g, String.raw`\$&`).replaceAll('\r', String.raw`\r`)}"`;
}

interface Entry extends Value {
  /** Empty for a line without a name. */
  readonly name: string;
}

function entryAt(text: string, at: number): Entry {
  const lineEnd = endOfLine(text, at);
  const line = text.slice(at, lineEnd);
  const nothing = { name: '', value: '', filled: '', end: lineEnd + 1 };
  if (/^[ \t]*(?:#|$)/.test(line)) return nothing;
  const separator = /=|:[ \t]+(?=[^ \t#])/.exec(line);
  const name = trimmed(separator ? line.slice(0, separator.index) : line).replace(/^export[ \t]+/, '');
  const problem = nameProblem(name);
  if (separator === null) return { ...nothing, problem: problem ?? `"${name}" has no value` };
  const value = valueAt(text, at + separator.index + 1, name);
  const unusable = unusableValue(value.value);
  const problemText = problem ?? value.problem ?? (unusable === null ? undefined : `"${name}": ${unusable}`);
  return { ...value, name, ...(problemText !== undefined && { problem: problemText }) };
}

const maxShown = 40;
const shown = (text: string): string => (text.length > maxShown ? `${text.slice(0, maxShown)}…` : text);

function nameProblem(name: string): string | undefined {
  if (name === '') return 'a name is missing';
  return isVariableName(name) ? undefined : `"${shown(name)}" is no name`;
}

function valueAt(text: string, after: number, name: string): Value {
  const lineEnd = endOfLine(text, after);
  const raw = text.slice(after, lineEnd);
  const at = after + (/^[ \t]*/.exec(raw)?.[0].length ?? 0);
  const quoted = quotedValue(text, at);
  if (quoted !== null) return afterQuotes(text, quoted, name);
  const comment = /[ \t]#/.exec(raw)?.index ?? raw.length;
  const value = trimmed(raw.slice(0, comment));
  if (!value.startsWith('-----BEGIN ') || value.includes('-----END '))
    return { value, filled: value, end: lineEnd + 1 };
  return {
    value,
    filled: '',
    end: endOfKey(text, lineEnd + 1),
    problem: `the lines of "${shown(name)}" must be in quotes`,
  };
}

function afterQuotes(text: string, { value, filled, end: closed }: Quoted, name: string): Value {
  if (closed === null)
    return {
      value,
      filled,
      end: text.length,
      problem: `the quote of "${shown(name)}" is not closed, and nothing after it is read`,
    };
  const lineEnd = endOfLine(text, closed);
  const isClean = /^[ \t]*(?:#|$)/.test(text.slice(closed, lineEnd));
  return {
    value,
    filled,
    end: lineEnd + 1,
    ...(!isClean && { problem: `text follows the closing quote of "${shown(name)}"` }),
  };
}

/** The lines of a key that has no quotes: the last of them looks like a variable. */
function endOfKey(text: string, from: number): number {
  for (let at = from; at < text.length;) {
    const end = endOfLine(text, at);
    const line = text.slice(at, end);
    if (line.startsWith('-----END ')) return end + 1;
    if (!/^(?:[A-Za-z0-9+/]*={0,2}|(?:Proc-Type|DEK-Info): .*)[ \t]*$/.test(line)) return at;
    at = end + 1;
  }
  return text.length;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

const isBlank = (char: string | undefined): boolean => char === ' ' || char === '\t';

/**
 * Trims only these blanks, others belong to a value; by a loop, because a pattern would backtrack over long runs of
 * blanks.
 */
function trimmed(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && isBlank(text[from])) from++;
  while (to > from && isBlank(text[to - 1])) to--;
  return text.slice(from, to);
}
