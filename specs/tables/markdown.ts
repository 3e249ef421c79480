/** One row of a Markdown table, with the line it stands in. */
export interface MarkdownRow {
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

/** Every table of a Markdown text, in order. */
export function markdownTables(text: string): readonly MarkdownTable[] {
  const tables: (Omit<MarkdownTable, 'rows'> & { readonly rows: MarkdownRow[] })[] = [];
  let heading = '';
  let inTable = false;
  for (const [index, content] of text.split(/\r?\n/).entries()) {
    const line = index + 1;
    const titled = /^#+\s+(.*?)\s*$/.exec(content);
    if (titled) heading = titled[1] ?? '';
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
