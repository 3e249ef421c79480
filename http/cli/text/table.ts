import { plain } from './plain.ts';

/** A cell: its text, and how it is painted. */
export type Cell = string | { readonly text: string; readonly paint: (text: string) => string };

/** A row of cells, of which some are not known. */
export type Row = readonly (Cell | undefined)[];

const between = '  ';
const textOf = (cell: Cell = ''): string => plain(typeof cell === 'string' ? cell : cell.text) || '-';
const painted = (cell: Cell, text: string): string => (typeof cell === 'string' ? text : cell.paint(text));

type Width = (text: string) => number;

/** The module for wide characters is loaded only for them: it takes as long to load as everything else. */
async function widthFor(texts: readonly (readonly string[])[]): Promise<Width> {
  const isPlain = texts.every((row) => row.every((text) => /^[ -~]*$/.test(text)));
  return isPlain ? ({ length }) => length : (await import('string-width')).default;
}

/**
 * A table with its header, part by part as rows come. Nothing is cut, and wide characters take two places; a column
 * never gets narrower than in the part before.
 */
export function tableParts(header: readonly string[]): (rows: readonly Row[]) => Promise<string> {
  let widths = header.map(() => 0);
  let lead: readonly Row[] = [header];
  return async (more) => {
    const rows = [...lead, ...more];
    lead = [];
    const texts = rows.map((row) => row.map(textOf));
    const widthOf = await widthFor(texts);
    widths = widths.map((before, column) =>
      texts.reduce((widest, row) => Math.max(widest, widthOf(row[column] ?? '')), before),
    );
    const lines = texts.map((row, index) =>
      row
        .map((text, column) => {
          const available = column === row.length - 1 ? 0 : (widths[column] ?? 0) - widthOf(text);
          return painted(rows[index]?.[column] ?? '', text) + ' '.repeat(available);
        })
        .join(between),
    );
    return lines.map((line) => `${line}\n`).join('');
  };
}
