import type { ASTNode } from '@marcbachmann/cel-js';

/** Where what stands behind a node begins: an operator, the dot before a field, a bracket. */
export function behind(text: string, { end }: ASTNode): number {
  return end + Math.max(0, text.slice(end).search(/[^\s)]/));
}

/** Where a call opens its brackets. */
export function opening(text: string, name: string, from: number): number {
  return text.indexOf('(', text.indexOf(name, from) + name.length);
}

/** Faults with their places in a text, in the order of these, as compiler messages. */
export const located = (text: string, faults: readonly { readonly says: string; readonly position: number }[]) =>
  faults
    .toSorted((a, b) => a.position - b.position)
    .map(({ says, position }) => at(text, says, position))
    .join('\n');

function at(text: string, says: string, position: number): string {
  const before = text.slice(0, position).split('\n');
  const line = before.length;
  const column = Array.from(before.at(-1) ?? '').length;
  const shown = text.split('\n')[line - 1] ?? '';
  return `ERROR: <input>:${line}:${column + 1}: ${says}\n | ${shown}\n | ${'.'.repeat(column)}^`;
}
