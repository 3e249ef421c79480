import type { Call, Expression, Identifier, ListLiteral, Literal } from './expression.ts';

/** The name under which a loop keeps what it gathers; no expression can write it. */
export const accumulator = '@result';

/** Makes the parts of an expression that stand in no text, all at one place of it. */
export function partsAt(position: number) {
  const literal = (value: unknown): Literal => ({ is: 'literal', value, position });
  const name = (of: string): Identifier => ({ is: 'identifier', name: of, position });
  const list = (...items: readonly Expression[]): ListLiteral => ({ is: 'list', items, position });
  const call = (of: string, ...args: readonly Expression[]): Call => ({
    is: 'call',
    name: of,
    target: null,
    args,
    position,
  });
  return { literal, name, list, call, gathered: name(accumulator) };
}

/** A part of an expression as if it stood elsewhere. */
export const placed = (expression: Expression, position: number): Expression => ({ ...expression, position });
