/** One row of a Markdown table, with the line it stands in. */
interface MarkdownRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** One table of a Markdown text, under the heading it follows. */
export interface MarkdownTable {
  readonly heading: string;
  readonly line: number;
  readonly columns: readonly string[];
  readonly rows: readonly MarkdownRow[];
}

const cellsOf = (line: string) =>
  line
    .replace(/^\s*\|/, '')
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

const isRule = (cells: readonly string[]) => cells.every((cell) => /^:?-+:?$/.test(cell));

/** The line of every heading of a Markdown text, the first of those that are called alike. */
export function headingLines(text: string): Readonly<Record<string, number>> {
  const lines: Record<string, number> = {};
  for (const [index, content] of text.split(/\r?\n/).entries()) {
    const heading = headingIn(content);
    if (heading !== null) lines[heading] ??= index + 1;
  }
  return lines;
}

const headingIn = (line: string): string | null => /^#+\s+(.*?)\s*$/.exec(line)?.[1] ?? null;

/** Every table of a Markdown text, in order. */
export function markdownTables(text: string): readonly MarkdownTable[] {
  const tables: (Omit<MarkdownTable, 'rows'> & { readonly rows: MarkdownRow[] })[] = [];
  let heading = '';
  let inTable = false;
  for (const [index, content] of text.split(/\r?\n/).entries()) {
    const line = index + 1;
    heading = headingIn(content) ?? heading;
    if (!content.trimStart().startsWith('|')) {
      inTable = false;
      continue;
    }
    const cells = cellsOf(content);
    if (!inTable) tables.push({ heading, line, columns: cells, rows: [] });
    else if (!isRule(cells)) tables.at(-1)?.rows.push({ line, cells });
    inTable = true;
  }
  return tables;
}
