/** Pairs of letters that stand beside each other in a text. */
const pairsOf = (text: string): readonly string[] =>
  Array.from({ length: text.length + 1 }, (_, at) => ` ${text} `.slice(at, at + 2));

/** How alike two texts are: 1 for the same, 0 for nothing in common. */
function likeness(a: string, b: string): number {
  if (a === b) return 1;
  const [one, two] = [pairsOf(a), pairsOf(b)];
  return (2 * one.filter((pair) => two.includes(pair)).length) / (one.length + two.length) || 0;
}

const split = (columns: string) => columns.split(', ');
const together = (written: readonly string[], meant: readonly string[]) =>
  meant.reduce((sum, column, at) => sum + likeness(column, written[at] ?? ''), 0) /
  Math.max(written.length, meant.length);

/** Least likeness at which one list of columns is taken for another. */
const likely = 0.4;

/** The columns that were most likely meant by others, or null when nothing is like them. */
export function meantColumns(written: readonly string[], known: readonly string[]): string | null {
  const named = written.join(', ');
  if (known.includes(named)) return named;
  const [best] = known
    .map((columns) => ({ columns, like: Math.max(together(written, split(columns)), shared(written, split(columns))) }))
    .toSorted((a, b) => b.like - a.like);
  return best && best.like >= likely ? best.columns : null;
}

/** What two lists have in common, wherever it stands. */
const shared = (written: readonly string[], meant: readonly string[]) =>
  meant.filter((column) => written.includes(column)).length / Math.max(written.length, meant.length);

/** What is wrong with the columns of a table, in words. */
export function columnsText(written: readonly string[], meant: string | null): string {
  if (meant === null)
    return `the columns "${written.join(', ')}" are those of no section; specs/README.md lists them under "Read a table"`;
  const wanted = split(meant);
  const wrong = wanted.flatMap((column, at) => (column === written[at] ? [] : [{ column, at }]));
  const [first] = wrong;
  return wanted.length === written.length && wrong.length === 1 && first
    ? `column ${first.at + 1} is "${written[first.at]}", should it be "${first.column}"?`
    : `the columns are "${written.join(', ')}", should they be "${meant}"?`;
}
