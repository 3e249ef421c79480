import { Environment } from '@marcbachmann/cel-js';
import { addLibrary } from '../cel/library.ts';

export type Variables = Readonly<Record<string, unknown>>;

/** An expression in CEL, ready to be evaluated. */
export interface Expression {
  readonly text: string;
  /** Throws an ExpressionError. */
  readonly evaluate: (variables: Variables) => unknown;
}

/** Why an expression has no value. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

/** Where an expression stands: whether the policy has parameters, and the variables it has made by then. */
export interface Scope {
  readonly params: boolean;
  readonly variables: readonly string[];
}

type ResultType = 'bool' | 'string' | 'any';

const always = ['object', 'oldObject', 'request', 'namespaceObject', 'variables'];

const environmentOf = (names: readonly string[]) =>
  names.reduce(
    (environment, name) => environment.registerVariable(name, 'dyn'),
    addLibrary(new Environment({ unlistedVariablesAreDyn: false, enableOptionalTypes: true })),
  );
const plain = environmentOf(always);
const withParams = environmentOf([...always, 'params']);

/** Compiles an expression; throws an ExpressionError that says what is wrong with it. */
export function compile(text: string, scope: Scope, result: ResultType): Expression {
  const unknown = [...text.matchAll(/\bvariables\.([A-Za-z_]\w*)/g)].find(
    ([, name]) => !scope.variables.includes(name ?? ''),
  );
  if (unknown) throw failed(text, unknown.index + 'variables'.length, `undefined field '${unknown[1]}'`);
  const program = parsed(text, scope);
  const { type, error } = program.check();
  if (error) throw failedBy(text, error);
  const found = String(type);
  const isOpen = found === 'dyn' && /\b(variables|request|namespaceObject)\b/.test(text);
  if (result !== 'any' && found !== result && !isOpen)
    throw new ExpressionError(`must evaluate to ${result} but got ${found}`);
  return { text, evaluate: (variables) => evaluated(text, () => program({ ...variables }) as unknown) };
}

function parsed(text: string, scope: Scope) {
  try {
    return (scope.params ? withParams : plain).parse(text);
  } catch (why) {
    throw failedBy(text, why);
  }
}

function evaluated(text: string, run: () => unknown): unknown {
  try {
    return run();
  } catch (why) {
    throw new ExpressionError(`expression '${text}' resulted in error: ${causeOf(why)}`);
  }
}

/** What went wrong, in the words of the API. */
export function causeOf(why: unknown): string {
  const text = wordsOf(why).replace(/^No such key: /, 'no such key: ');
  return text.replace(/^found no matching overload for '(\w+)\(.*$/, "undeclared reference to '$1' (in container '')");
}

const wordsOf = (why: unknown) =>
  (why as { summary?: string }).summary ?? (why instanceof Error ? why.message : String(why)).split('\n')[0] ?? '';

function failedBy(text: string, why: unknown): ExpressionError {
  const at = (why as { range?: { start: number } }).range?.start ?? 0;
  const words = causeOf(why).replace(/^Unknown variable: (\w+)$/, "undeclared reference to '$1' (in container '')");
  return failed(text, at, words);
}

/** As the compiler of the API shows the place in the text. */
function failed(text: string, at: number, words: string): ExpressionError {
  const before = text.slice(0, at).split('\n');
  const column = before.at(-1)?.length ?? 0;
  const line = text.split('\n')[before.length - 1] ?? '';
  return new ExpressionError(
    `compilation failed: ERROR: <input>:${before.length}:${column + 1}: ${words}\n | ${line}\n | ${'.'.repeat(column)}^`,
  );
}
