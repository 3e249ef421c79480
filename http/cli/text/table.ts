import stringWidth from 'string-width';
import { plain } from './plain.ts';

/** A cell: its text, and how it is painted. */
export type Cell = string | { readonly text: string; readonly paint: (text: string) => string };

const between = '  ';
const textOf = (cell: Cell): string => plain(typeof cell === 'string' ? cell : cell.text) || '-';
const painted = (cell: Cell, text: string): string => (typeof cell === 'string' ? text : cell.paint(text));

/** A table with its header. Nothing is cut, and wide characters take two places. */
export function tableText(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const texts = [header, ...rows.map((row) => row.map(textOf))];
  const widths = header.map((_, column) => Math.max(...texts.map((row) => stringWidth(row[column] ?? ''))));
  const lines = texts.map((row, index) =>
    row
      .map((text, column) => {
        const cell = index === 0 ? text : (rows[index - 1]?.[column] ?? '');
        const room = column === row.length - 1 ? 0 : (widths[column] ?? 0) - stringWidth(text);
        return painted(cell, text) + ' '.repeat(room);
      })
      .join(between),
  );
  return lines.map((line) => `${line}\n`).join('');
}
