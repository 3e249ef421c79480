import { type Cells, cellsIn, listedIn } from './cells.ts';
import { lookText } from './words.ts';

/** One thing that is not as it was: where it stands, what it is about, and what changed, in words. */
export interface Change {
  /** The row as it stands now; as it stood, when it is gone. */
  readonly row: Cells;
  readonly was: Cells | null;
  readonly isGone: boolean;
  readonly text: string;
}

/** Everything that changed between two texts of one table. */
export function changes(before: string, after: string): readonly Change[] {
  const old = new Map(cellsIn(before).map((row) => [keyOf(row), row]));
  const now = new Map(cellsIn(after).map((row) => [keyOf(row), row]));
  const gone = [...old].filter(([key]) => !now.has(key)).map(([, row]) => row);
  const added = [...now].filter(([key]) => !old.has(key)).map(([, row]) => row);
  const renamed = added.flatMap((row) => {
    const was = gone.find((other) => sameButKey(other, row));
    return was ? [{ row, was }] : [];
  });
  const isRenamed = (row: Cells) => renamed.some((pair) => pair.row === row || pair.was === row);
  const change = (row: Cells, text: string, was: Cells | null = null): Change => ({ row, was, isGone: false, text });
  return [
    ...[...now].flatMap(([key, row]) => {
      const was = old.get(key);
      return was ? cellChanges(was, row).map((text) => change(row, text, was)) : [];
    }),
    ...renamed.map(({ row, was }) => change(row, `${row.sort.called(row)} was called ${was.key}`, was)),
    ...added.filter((row) => !isRenamed(row)).map((row) => change(row, `new: ${wholeText(row)}`)),
    ...gone
      .filter((row) => !isRenamed(row))
      .map((row) => ({ ...change(row, `gone: ${wholeText(row)}`), isGone: true })),
    ...orderChanges([...old.values()], [...now.values()]),
  ];
}

const keyOf = ({ sort, key }: Cells) => `${sort.is} ${key}`;

const sameButKey = (a: Cells, b: Cells) =>
  a.sort === b.sort &&
  Object.keys(a.sort.verbs).every((column) => a.cells[column] === b.cells[column]) &&
  a.sort.is === 'arrow';

const valueText = (value: string) => (value === '' ? 'nothing' : value);

/** What a cell says. */
const saidText = (column: string, verb: string, value: string) =>
  column === 'look' ? looksText(value) : `${verb} ${valueText(value)}`;

const looksText = (look: string) => (look === '' ? 'never looks again' : `looks again ${lookText(look)}`);

/** What a cell says now, and what it said. */
function changedText(column: string, verb: string, [before, after]: readonly [string, string]): string {
  if (column !== 'look') return `${verb} ${valueText(after)} instead of ${valueText(before)}`;
  const areDurations = [before, after].every((look) => /^\d/.test(look));
  return `${looksText(after)} instead of ${areDurations ? before : lookText(before)}`;
}

/** A row in words: how it is called, and what each of its cells says. */
function wholeText(row: Cells): string {
  const { sort, cells } = row;
  const skipped = sort.is === 'arrow' ? ['from', 'event'] : sort.is === 'verdict' ? ['reason'] : [];
  const said = Object.entries(sort.verbs)
    .filter(([column]) => !skipped.includes(column))
    .map(([column, verb]) => saidText(column, verb, cells[column] ?? ''));
  return `${sort.called(row)} ${said.join('; ')}`;
}

/** Cell by cell, what a row says that it did not say. */
function cellChanges(was: Cells, row: Cells): readonly string[] {
  return Object.entries(row.sort.verbs).flatMap(([column, verb]) => {
    const [before = '', after = ''] = [was.cells[column], row.cells[column]];
    if (before === after) return [];
    if (row.sort.is === 'order') return rulesChanges(row, listedIn(before), listedIn(after));
    return [`${was.sort.called(was)} ${changedText(column, verb, [before, after])}`];
  });
}

/** What became of the order in which one state's rules are tried. */
function rulesChanges(row: Cells, before: readonly string[], after: readonly string[]): readonly string[] {
  const state = row.key;
  const moved = movedIn(before, after);
  return [
    ...after.filter((id) => !before.includes(id)).map((id) => `${state} tries ${id}, which it did not`),
    ...before.filter((id) => !after.includes(id)).map((id) => `${state} tries ${id} no more`),
    ...moved.map(({ first, second }) => `${state} tries ${first} before ${second}, no longer after it`),
  ];
}

/** Neighbours that stood the other way round. */
function movedIn(before: readonly string[], after: readonly string[]) {
  const common = after.filter((id) => before.includes(id));
  return common.flatMap((first, at) => {
    const second = common[at + 1];
    return second !== undefined && before.indexOf(first) > before.indexOf(second) ? [{ first, second }] : [];
  });
}

/** Verdicts that are checked in another order. */
function orderChanges(old: readonly Cells[], now: readonly Cells[]): readonly Change[] {
  const verdicts = now.filter(({ sort }) => sort.is === 'verdict');
  return [...new Set(verdicts.map(({ heading }) => heading))].flatMap((heading) => {
    const keys = (rows: readonly Cells[]) =>
      rows.filter((row) => row.sort.is === 'verdict' && row.heading === heading).map(({ key }) => key);
    return movedIn(keys(old), keys(now)).flatMap(({ first, second }): readonly Change[] => {
      const row = verdicts.find(({ key }) => key === first);
      return row
        ? [{ row, was: null, isGone: false, text: `${heading} checks ${first} before ${second}, no longer after it` }]
        : [];
    });
  });
}
