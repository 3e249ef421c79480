import { plain } from './plain.ts';

/** A cell: its text, and how it is painted. */
export type Cell = string | { readonly text: string; readonly paint: (text: string) => string };

/** A row of cells, of which some are not known. */
export type Row = readonly (Cell | undefined)[];

const between = '  ';
const textOf = (cell: Cell = ''): string => plain(typeof cell === 'string' ? cell : cell.text) || '-';
const painted = (cell: Cell, text: string): string => (typeof cell === 'string' ? text : cell.paint(text));

type Width = (text: string) => number;

/** What knows wide characters is loaded for them alone: that takes as long as the start of everything else. */
async function widthFor(texts: readonly (readonly string[])[]): Promise<Width> {
  const isPlain = texts.every((row) => row.every((text) => /^[ -~]*$/.test(text)));
  return isPlain ? ({ length }) => length : (await import('string-width')).default;
}

/** A table with its header. Nothing is cut, and wide characters take two places. */
export async function tableText(header: readonly string[], rows: readonly Row[]): Promise<string> {
  const texts = [header, ...rows.map((row) => row.map(textOf))];
  const widthOf = await widthFor(texts);
  const widths = header.map((_, column) => Math.max(...texts.map((row) => widthOf(row[column] ?? ''))));
  const lines = texts.map((row, index) =>
    row
      .map((text, column) => {
        const cell = index === 0 ? text : (rows[index - 1]?.[column] ?? '');
        const room = column === row.length - 1 ? 0 : (widths[column] ?? 0) - widthOf(text);
        return painted(cell, text) + ' '.repeat(room);
      })
      .join(between),
  );
  return lines.map((line) => `${line}\n`).join('');
}
