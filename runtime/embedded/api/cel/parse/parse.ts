import { Environment } from '@marcbachmann/cel-js';
import { at, numberAt, textAt } from '../../json.ts';
import type { Expression, Fault } from './expression.ts';
import { syntaxFaults } from './syntax.ts';
import { takeApart } from './takeApart.ts';

const grammar = new Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true });

/** An expression, or what keeps a text from being one. */
export type Parsed = { readonly expression: Expression } | { readonly faults: readonly Fault[] };

/** Reads a text in the Common Expression Language. */
export function parse(text: string): Parsed {
  const faults: Fault[] = [];
  try {
    const expression = takeApart(text, grammar.parse(text).ast, (fault) => faults.push(fault));
    return faults.length > 0 ? { faults } : { expression };
  } catch (error) {
    return { faults: refused(text, error) };
  }
}

/** A macro that cannot be told from its arguments is no fault of syntax. */
function refused(text: string, error: unknown): readonly Fault[] {
  const start = numberAt(error, 'range', 'start');
  if (textAt(error, 'code') !== 'invalid_macro_argument')
    return syntaxFaults(text, { summary: textAt(error, 'summary'), start });
  const isSelect = at(error, 'node', 'op') === '.';
  const position = isSelect ? text.lastIndexOf('.', start) : start;
  return [{ says: 'argument must be a simple name', position }];
}
