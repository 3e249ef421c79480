import { at, numberAt, textAt } from '../json.ts';

/** Where what stands behind the first operand of a node begins: its operator, or the dot before a field. */
export function behind(expression: string, node: unknown): number {
  const end = numberAt(node, 'args', 0, 'end');
  return end + Math.max(0, expression.slice(end).search(/[^\s)]/));
}

/** Where a call opens its brackets. */
export function opening(expression: string, node: unknown): number {
  const name = textAt(node, 'args', 0);
  const from = at(node, 'op') === 'rcall' ? numberAt(node, 'args', 1, 'end') : numberAt(node, 'start');
  return expression.indexOf('(', expression.indexOf(name, from) + name.length);
}

/** The place by which a compiler knows a node. */
export function positionOf(expression: string, node: unknown): number {
  const op = at(node, 'op');
  if (op === 'id' || op === 'value' || op === 'list' || op === 'map') return numberAt(node, 'start');
  if (op === 'call' || op === 'rcall') return opening(expression, node);
  return op === '!_' || op === '-_' ? numberAt(node, 'start') : behind(expression, node);
}

/** A fault with its place in an expression, as a compiler tells it. `position` counts from 0. */
export function located(expression: string, says: string, position: number): string {
  const before = expression.slice(0, position).split('\n');
  const line = before.length;
  const column = (before.at(-1) ?? '').length;
  const shown = expression.split('\n')[line - 1] ?? '';
  return `ERROR: <input>:${line}:${column + 1}: ${says}\n | ${shown}\n | ${'.'.repeat(column)}^`;
}
