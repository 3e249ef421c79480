/** What is wrong with a sheet, each fault with its file and line. */
export class SheetError extends Error {
  override readonly name = 'SheetError';
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

/** One line of a sheet: its cells by the names of the columns, and the line it stands in. */
export type SheetRow<Column extends string> = Readonly<Record<Column, string>> & { readonly inLine: number };

interface Form<Column extends string> {
  readonly columns: readonly Column[];
  /** What is wrong with one row by itself. */
  readonly faults: (row: SheetRow<Column>) => readonly string[];
  /** What no two rows may share. */
  readonly key: (row: SheetRow<Column>) => string;
}

/** Reads tab-separated lines below a line of column heads; a malformed sheet is refused with every fault. */
export function readSheet<Column extends string>(
  text: string,
  file: string,
  { columns, faults: faultsOf, key }: Form<Column>,
): readonly SheetRow<Column>[] {
  const [head = '', ...lines] = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const faults: string[] = [];
  if (head !== columns.join('\t')) faults.push(`${file}:1: the columns are "${head}", not "${columns.join(' ')}"`);
  const seen = new Map<string, number>();
  const rows = lines.flatMap((content, index): readonly SheetRow<Column>[] => {
    const line = index + 2;
    const cells = content.split('\t');
    if (cells.length !== columns.length) {
      faults.push(`${file}:${line}: ${cells.length} cells instead of ${columns.length}`);
      return [];
    }
    const row = {
      ...Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? ''])),
      inLine: line,
    } as unknown as SheetRow<Column>;
    for (const what of faultsOf(row)) faults.push(`${file}:${line}: ${what}`);
    const first = seen.get(key(row));
    if (first !== undefined) faults.push(`${file}:${line}: "${key(row)}" stands in line ${first} already`);
    seen.set(key(row), first ?? line);
    return [row];
  });
  if (faults.length > 0) throw new SheetError(faults);
  return rows;
}
