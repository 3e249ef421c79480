import { Environment } from '@marcbachmann/cel-js';
import type { Schema, ValidationRule } from '../schema/schema.ts';
import { type Fault, compileFault } from './compileError.ts';
import { addLibrary } from './library.ts';
import { located } from './position.ts';
import { declareType } from './types.ts';

/** What is wrong with an expression: it cannot be compiled, or comes to a value of another type than is wanted. */
export type Miscompiled = { readonly is: 'refused'; readonly why: string } | { readonly is: 'other type' };

/** Says what is wrong with an expression that is to come to a value of a type. */
export type Check = (expression: string, wanted: 'bool' | 'string') => Miscompiled | null;

/** Checks expressions over the values of a schema by their types. */
export function checkerOf(schema: Schema, { optionalOldSelf }: Pick<ValidationRule, 'optionalOldSelf'> = {}): Check {
  const environment = addLibrary(new Environment({ unlistedVariablesAreDyn: false, enableOptionalTypes: true }));
  const type = declareType(environment, schema);
  environment.registerVariable('self', type);
  environment.registerVariable('oldSelf', optionalOldSelf === true ? 'dyn' : type);

  /** Whether a field is there can only be asked of one that may be. */
  function unknownField(expression: string): Fault | null {
    for (const { index, 1: field = '' } of expression.matchAll(/\bhas\(\s*((?:self|oldSelf)\.[\w.]+)\s*\)/g)) {
      const fault = compileFault(field, environment.check(field).error);
      if (fault) return { says: fault.says, position: index + 'has'.length };
    }
    return null;
  }

  return (expression, wanted) => {
    const checked = environment.check(expression);
    const fault = checked.valid ? unknownField(expression) : compileFault(expression, checked.error);
    if (fault) return { is: 'refused', why: located(expression, fault.says, fault.position) };
    const found = String(checked.type);
    return !checked.valid || found === wanted || found === 'dyn' ? null : { is: 'other type' };
  };
}
