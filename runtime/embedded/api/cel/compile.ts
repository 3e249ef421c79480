import { check, type Checked } from './check/check.ts';
import type { Program } from './evaluate/program.ts';
import { programOf } from './evaluate/program.ts';
import { CostError } from './evaluate/values.ts';
import { estimate } from './cost/estimate.ts';
import { foldingFault, literalFaults } from './check/literals.ts';
import type { Expression } from './parse/expression.ts';
import { parse } from './parse/parse.ts';
import { located } from './parse/position.ts';
import type { Declared } from './types/declared.ts';
import type { CelType } from './types/type.ts';

/** An expression that is right by its types. */
export interface Compiled {
  readonly type: CelType;
  /** The names of the variables that it reads. */
  readonly uses: ReadonlySet<string>;
  /** The most that it may cost over values of a schema. */
  readonly mostCost: (of: Declared) => number;
  readonly program: Program;
}

/** Why a text is not an expression, as a compiler message. */
export interface Refused {
  readonly at: 'compilation' | 'instantiation';
  readonly why: string;
}

/** Compiles an expression over variables of these types. */
export function compile(text: string, variables: ReadonlyMap<string, CelType>): Compiled | Refused {
  const parsed = parse(text);
  if ('faults' in parsed) return { at: 'compilation', why: located(text, parsed.faults) };
  const checked = check(parsed.expression, variables);
  const faults = checked.faults.length > 0 ? checked.faults : literalFaults(parsed.expression, checked);
  if (faults.length > 0) return { at: 'compilation', why: located(text, faults) };
  const folding = foldingFault(parsed.expression);
  return folding === null ? compiledOf(parsed.expression, checked) : { at: 'instantiation', why: folding };
}

function compiledOf(expression: Expression, checked: Checked): Compiled {
  let made: Program | null = null;
  return {
    type: checked.type,
    uses: checked.uses,
    mostCost: (of) => estimate(expression, checked, of),
    program: (scope) => (made ??= programOf(expression, checked))(scope),
  };
}

/** What the evaluation of one expression may cost. */
const mostOfOne = 1_000_000;

/** What evaluations for one object may cost together. */
export const mostOfAll = 10_000_000;

export interface Evaluated {
  readonly value: unknown;
  readonly cost: number;
}

/** Evaluates an expression; throws an EvaluationError, a CostError where it costs too much. */
export function evaluate({ program }: Compiled, variables: Readonly<Record<string, unknown>>): Evaluated {
  let cost = 0;
  const value = program({
    get: (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined),
    spend: (amount) => {
      cost += amount;
      if (cost > mostOfOne) throw new CostError('operation cancelled: actual cost limit exceeded');
    },
  });
  return { value, cost };
}
