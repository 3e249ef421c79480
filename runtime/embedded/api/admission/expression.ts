import { compile as compiled, evaluate } from '../cel/compile.ts';
import { EvaluationError } from '../cel/evaluate/values.ts';
import { type CelType, shown } from '../cel/types/type.ts';
import { typesOf } from './variables.ts';

export type Variables = Readonly<Record<string, unknown>>;

/** An expression in CEL, ready to be evaluated. */
export interface Expression {
  readonly text: string;
  readonly type: CelType;
  /** Throws an ExpressionError. */
  readonly evaluate: (variables: Variables) => unknown;
}

/** Why an expression has no value. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

/** Where an expression stands: whether the policy has parameters, and the types of the variables it has made by then. */
export interface Scope {
  readonly params: boolean;
  readonly variables: ReadonlyMap<string, CelType>;
}

type ResultType = 'bool' | 'string' | 'any';

/** Compiles an expression; throws an ExpressionError that says what is wrong with it. */
export function compile(text: string, { params, variables }: Scope, result: ResultType): Expression {
  const found = compiled(text, typesOf(params, variables));
  if ('why' in found)
    throw new ExpressionError(`${found.at === 'compilation' ? '' : 'program '}${found.at} failed: ${found.why}`);
  const { type } = found;
  if (result !== 'any' && type.kind !== result)
    throw new ExpressionError(`must evaluate to ${result} but got ${shown(type)}`);
  return { text, type, evaluate: (given) => evaluated(text, () => evaluate(found, given).value) };
}

function evaluated(text: string, run: () => unknown): unknown {
  try {
    return run();
  } catch (why) {
    if (!(why instanceof EvaluationError)) throw why;
    throw new ExpressionError(`expression '${text}' resulted in error: ${why.message}`);
  }
}
