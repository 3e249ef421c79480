import { EvaluationError } from '../evaluate/values.ts';
import { patternFault } from '../functions/regex.ts';
import { parseDuration, parseTimestamp } from '../functions/times.ts';
import type { Expression, Fault } from '../parse/expression.ts';

/** What is wrong with texts that are written out where a moment, a length of time or a pattern is wanted. */
export function literalFaults(root: Expression): readonly Fault[] {
  return partsOf(root).flatMap((part) => {
    if (part.is !== 'call') return [];
    const wanted = part.args[part.target || part.args.length === 1 ? 0 : 1];
    if (wanted?.is !== 'literal' || typeof wanted.value !== 'string') return [];
    const why = faultOf(part.name, wanted.value);
    return why === null ? [] : [{ says: why, position: wanted.position }];
  });
}

function faultOf(name: string, text: string): string | null {
  if (name === 'matches') return patternFault(text) === null ? null : `invalid matches argument`;
  if (name === 'duration') return refuses(() => parseDuration(text)) ? 'invalid duration argument' : null;
  if (name === 'timestamp') return refuses(() => parseTimestamp(text)) ? 'invalid timestamp argument' : null;
  return null;
}

function refuses(read: () => unknown): boolean {
  try {
    read();
    return false;
  } catch (error) {
    if (error instanceof EvaluationError) return true;
    throw error;
  }
}

/** An expression and everything that it is made of. */
function partsOf(expression: Expression): readonly Expression[] {
  return [expression, ...innerOf(expression).flatMap(partsOf)];
}

function innerOf(expression: Expression): readonly Expression[] {
  switch (expression.is) {
    case 'select':
      return [expression.operand];
    case 'call':
      return [...(expression.target ? [expression.target] : []), ...expression.args];
    case 'list':
      return expression.items;
    case 'map':
      return expression.entries.flat();
    case 'comprehension':
      return [expression.range, expression.start, expression.step, expression.result];
    default:
      return [];
  }
}
